/// Numbers as people read them.

const minus = (text: string) => text.replace("-", "\u2212");

/// Three significant digits: "0.0342", "12.5", "1.2e7".
export function short(x: number, digits = 3): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "\u2013" : x > 0 ? "\u221e" : "\u2212\u221e";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e-4 && size < 1e6) return minus(String(Number(x.toPrecision(size >= 1000 ? 4 : digits))));
  const [mantissa, exponent] = x.toExponential(digits - 1).split("e");
  return minus(`${Number(mantissa)}e${Number(exponent)}`);
}

/// "1,234"
export const count = (x: number) => x.toLocaleString("en-US");

/// "1 setting is", "12 settings are"
export const some = (x: number, what: string) => (x === 1 ? `1 ${what} is` : `${count(x)} ${what}s are`);

/// "0.1234 \u00b1 0.0021": the half-width has two digits, and the mean the same number of decimals.
export function withHalfWidth(mean: number, half: number): string {
  if (!Number.isFinite(mean)) return short(mean);
  if (!(half > 0) || !Number.isFinite(half)) return half === 0 ? `${short(mean, 4)} \u00b1 0` : short(mean, 4);
  const decimals = 1 - Math.floor(Math.log10(half));
  if (Math.abs(mean) >= 1e6 || decimals > 7 || decimals < 0) return `${short(mean, 4)} \u00b1 ${short(half, 2)}`;
  return `${minus(mean.toFixed(decimals))} \u00b1 ${half.toFixed(decimals)}`;
}

export function microseconds(x: number | null): string {
  return x === null ? "\u2013" : short(x);
}

export function bytes(x: number | null): string {
  if (x === null) return "\u2013";
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  for (; x >= 1000 && unit + 1 < units.length; ++unit) x /= 1000;
  return `${short(x)} ${units[unit]}`;
}

/// "42 %"; never "100 %" when some is missing, nor "0 %" when there is some.
export function percent(part: number, whole: number): string {
  if (whole === 0) return "0 %";
  const x = Math.floor((100 * part) / whole);
  return part > 0 && x === 0 ? "less than 1 %" : `${x} %`;
}

/// The unit of time in which `largest` microseconds are a convenient number.
export function timeUnit(largest: number): { name: string; microseconds: number } {
  if (largest >= 1e6) return { name: "s", microseconds: 1e6 };
  return largest >= 1e3 ? { name: "ms", microseconds: 1e3 } : { name: "\u00b5s", microseconds: 1 };
}
