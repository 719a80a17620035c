import type { Parameter } from "../data";
import { short } from "../numbers";
import type { Axis } from "./figure";

/// Round numbers, about as many as asked for: 1, 2 or 5 times a power of ten apart.
export function linearTicks(low: number, high: number, wanted = 6): number[] {
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-9); ++i)
    ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

/// Powers of ten, and some of their multiples when there are only a few.
export function logTicks(low: number, high: number, wanted = 7): number[] {
  const [from, to] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const decades = Math.log10(high / low);
  if (decades < 0.6) return linearTicks(low, high, 5);
  const multiples = decades < 1.5 ? [1, 2, 3, 5] : decades < 3 ? [1, 3] : [1];
  const stride = Math.max(1, Math.ceil((to - from + 1) / wanted));
  const ticks: number[] = [];
  for (let power = from - 1; power <= to; ++power)
    for (const multiple of (power - from) % stride === 0 || multiples.length > 1 ? multiples : [])
      ticks.push(Number(`${multiple}e${power}`));
  return ticks.filter((tick) => tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9));
}

export function numberAxis(label: string, type: "linear" | "log", domain: [number, number], wanted?: number): Axis {
  const ticks = (type === "log" ? logTicks : linearTicks)(...domain, wanted);
  return { label, type, domain, ticks, format: (x) => short(Number(x)) };
}

/// The smallest and the largest number; null when there is none.
export function extent(numbers: number[]): [number, number] | null {
  let [low, high] = [Infinity, -Infinity];
  for (const x of numbers) [low, high] = [Math.min(low, x), Math.max(high, x)];
  return low <= high ? [low, high] : null;
}

/// An axis for errors, with some room at its ends. Errors above `cap` do not count.
export function errorAxis(label: string, scale: string, values: number[], cap = Infinity): Axis {
  const log = scale === "log";
  const usable = values.filter((x) => Number.isFinite(x) && (!log || x > 0) && x <= cap);
  const [low, high] = extent(usable) ?? [0.1, 1];
  if (log) {
    const room = Math.max((high / low) ** 0.04, 1.05);
    return numberAxis(label, "log", [low / room, high * room]);
  }
  const bottom = Math.min(0, low);
  return numberAxis(label, "linear", [bottom, high + (high - bottom || 1) * 0.04]);
}

const clipped = (x: number | string) => String(x).replace(/^(.{15}).{2,}$/su, "$1\u2026");

/// An axis for the values of a parameter.
export function valueAxis({ name: label, values, scale }: Parameter): Axis {
  if (scale === "named") return { label, type: "point", domain: values, format: clipped };
  const [low, high] = [Number(values[0]), Number(values[values.length - 1])];
  if (scale === "log") return numberAxis(label, "log", [low / 1.15, high * 1.15]);
  const room = (high - low || Math.abs(high) || 1) * 0.03;
  return numberAxis(label, "linear", [low - room, high + room]);
}
