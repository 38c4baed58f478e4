/** Extension of a card: the JSON Schema that the data of a message to the skill has to match. */
export const CONTRACT_EXTENSION = "urn:suture:a2a:contract:1";

/** Key in the metadata of tasks: what the protocol has no field for, such as costs and who is waited for. */
export const RUN_EXTENSION = "urn:suture:a2a:run:1";

/** Metadata of a part of raw bytes that is a sealed envelope: algorithm, key, signature and digest. */
export const SEALED_EXTENSION = "urn:suture:a2a:sealed:1";
