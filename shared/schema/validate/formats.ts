/** Longer text satisfies no format, which bounds the time of a check. */
const FORMAT_CHARS_MAX = 4096;

function isDate(text: string): boolean {
  // The 30th of February reads as the 2nd of March.
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && JSON.stringify(new Date(text)).startsWith(`"${text}T`);
}

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:[zZ]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

function isDateTime(text: string): boolean {
  return /^.{10}[tT]/.test(text) && isDate(text.slice(0, 10)) && TIME.test(text.slice(11));
}

function isUri(text: string): boolean {
  return /^[a-zA-Z][a-zA-Z\d+.-]*:\S+$/.test(text) && URL.canParse(text);
}

function isIpv4(text: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text);
}

function isIpv6(text: string): boolean {
  return /^[\da-fA-F:.]{2,45}$/.test(text) && text.includes(":") && URL.canParse(`http://[${text}]/`);
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  return (
    at > 0 && at <= 64 && /^[^\s@"(),:;<>[\\\]]+$/.test(text.slice(0, at)) && isHostname(text.slice(at + 1))
  );
}

function isHostname(text: string): boolean {
  return (
    text.length <= 253 &&
    text.split(".").every((label) => /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u.test(label))
  );
}

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: (text) => TIME.test(text),
  "date-time": isDateTime,
  email: isEmail,
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: isIpv6,
  uri: isUri,
  url: isUri,
  uuid: (text) => /^[\da-fA-F]{8}-(?:[\da-fA-F]{4}-){3}[\da-fA-F]{12}$/.test(text),
  duration: (text) =>
    /^P(?!$)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?)$/.test(
      text,
    ),
};

/** Checks a format. Unknown formats are annotations and accept everything. */
export function satisfiesFormat(text: string, format: string): boolean {
  if (!Object.hasOwn(FORMATS, format)) return true;
  return text.length <= FORMAT_CHARS_MAX && FORMATS[format]?.(text) === true;
}
