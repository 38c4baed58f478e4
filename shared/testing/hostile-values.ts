import { SutureError } from "#shared/errors";
import { LockLostError } from "#shared/store";

const fail = (): never => {
  throw new Error("reading this fails");
};

/** A proxy that throws at whatever it is asked, if only from its `n`th question on. */
function throwingProxy(target: object, from = 1): object {
  let asked = 0;
  const trap = (): never | undefined => ((asked += 1) >= from ? fail() : undefined);
  const names = ["get", "has", "getPrototypeOf", "ownKeys", "getOwnPropertyDescriptor", "apply"];
  return new Proxy(target, Object.fromEntries(names.map((name) => [name, trap])));
}

function revoked(target: object): unknown {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function withGetter(error: Error, ...names: readonly string[]): Error {
  for (const name of names) Object.defineProperty(error, name, { get: fail, enumerable: true });
  return error;
}

const ours = (): SutureError =>
  new SutureError({ code: "X", failureClass: "timeout", message: "m", remedy: "r" });

function cyclic(): Error {
  const error = new Error("round and round");
  error.cause = error;
  return Object.assign(error, { self: error });
}

/** Values that a handler may throw or hand on, by their fault; made anew at each call. */
export const HOSTILE_VALUES: Readonly<Record<string, () => unknown>> = {
  "a revoked proxy": () => revoked({}),
  "a revoked proxy of an error": () => revoked(new Error("x")),
  "a revoked proxy of a function": () => revoked(() => undefined),
  "a proxy that throws": () => throwingProxy({}),
  "a proxy of an error that throws later": () => throwingProxy(new Error("x"), 3),
  "an heir of a proxy": () => Object.create(throwingProxy({})),
  "an error whose prototype is a proxy": () =>
    Object.setPrototypeOf(new Error("x"), throwingProxy(Error.prototype)),
  "an error whose message throws": () => withGetter(new Error("x"), "message"),
  "an error all of whose fields throw": () =>
    withGetter(new Error("x"), "name", "message", "stack", "cause", "code"),
  "an error whose name is a symbol": () => Object.assign(new Error("x"), { name: Symbol("s") }),
  "an error whose message is an object": () => Object.assign(new Error("x"), { message: { toString: fail } }),
  "our error whose class throws": () => withGetter(ours(), "failureClass"),
  "our error of a class that there is not": () => Object.assign(ours(), { failureClass: "__proto__" }),
  "our error with a proxy for issues": () => Object.assign(ours(), { issues: throwingProxy([]) }),
  "our error with a throwing issue": () => Object.assign(ours(), { issues: [throwingProxy({})] }),
  "our error whose retryAfterMs throws": () => withGetter(ours(), "retryAfterMs"),
  "an empty heir of our error": () => Object.create(SutureError.prototype),
  "a thief of a lost lock": () => throwingProxy(new LockLostError("m"), 2),
  "an object that throws as text": () => ({ toString: fail, toJSON: fail, [Symbol.toPrimitive]: fail }),
  "an object of throwing getters": () => withGetter(new Error("x"), "then", "toJSON"),
  "an error that is its own cause": cyclic,
  "an error of errors that throw": () =>
    withGetter(new AggregateError([throwingProxy({}), cyclic()], "many"), "errors"),
  "an error of a megabyte": () => new Error("x".repeat(1_000_000)),
  nothing: () => undefined,
  null: () => null,
  "a text": () => "text",
  "an object of no class": () => Object.create(null),
  "a symbol": () => Symbol("s"),
  "a big number": () => 10n ** 100n,
};
