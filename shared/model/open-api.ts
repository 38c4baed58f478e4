import type OpenAI from "openai";
import { createBoundedFetch } from "./bounded-fetch.ts";

/**
 * Loads the SDK at the first call: it is a fifth of what a service loads at its start, and most processes ask no model.
 */
export async function openApi(
  options: { readonly baseUrl: string; readonly apiKey: string },
  answerBytesMax: number,
): Promise<OpenAI> {
  const { default: Sdk } = await import("openai");
  return new Sdk({
    apiKey: options.apiKey,
    baseURL: options.baseUrl,
    // Given here, so that the SDK does not look for them in the environment.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    logLevel: "off",
    // Retrying is the retry queue's work: it survives this process, and it counts.
    maxRetries: 0,
    fetch: createBoundedFetch(answerBytesMax),
  });
}
