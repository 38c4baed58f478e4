const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:[zZ]|[+-](\d{2}):(\d{2}))$/;

/** Longer text satisfies no format, which bounds the time of a check. */
const FORMAT_CHARS_MAX = 4096;

function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(Date.UTC(2000, 0, 1));
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function isTime(text: string): boolean {
  const parts = TIME.exec(text);
  if (parts === null) return false;
  const [, hours, minutes, seconds, offsetHours, offsetMinutes] = parts.map((part) => Number(part ?? 0));
  return (
    (hours ?? 99) < 24 &&
    (minutes ?? 99) < 60 &&
    (seconds ?? 99) <= 60 &&
    (offsetHours ?? 0) < 24 &&
    (offsetMinutes ?? 0) < 60
  );
}

function isDateTime(text: string): boolean {
  return /^.{10}[tT]/.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

function isUri(text: string): boolean {
  return /^[a-zA-Z][a-zA-Z\d+.-]*:\S+$/.test(text) && URL.canParse(text);
}

function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return (
    parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  );
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
  time: isTime,
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
