import { runServices } from "#shared/runtime/service";
import { service } from "./service.ts";

await runServices(service.name, [[service]]);
