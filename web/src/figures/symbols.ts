import type { Study } from "../data";

/// The shapes of marks, the same as in the figures that the program draws: circle, square, triangle, diamond and triangle
/// upside down. Each is a polygon around the origin with about the area of a circle of radius 1.
type Corners = [number, number][];

const circle = Array.from({ length: 24 }, (_, i): [number, number] => {
  const angle = (2 * Math.PI * i) / 24;
  return [Math.cos(angle), Math.sin(angle)];
});
const turned = (corners: Corners): Corners => corners.map(([x, y]) => [-x, -y]);
const square: Corners = [
  [-0.9, -0.9],
  [0.9, -0.9],
  [0.9, 0.9],
  [-0.9, 0.9],
];
const triangle: Corners = [
  [0, -1.25],
  [1.15, 0.75],
  [-1.15, 0.75],
];
const diamond: Corners = [
  [0, -1.3],
  [1.3, 0],
  [0, 1.3],
  [-1.3, 0],
];
const shapes = [circle, square, triangle, diamond, turned(triangle)];

const shapeOf = (study: Study, learner: number) => shapes[study.learners[learner].shape % shapes.length];

/// A shape for Plot, which gives its area.
export const symbolOf = (study: Study, learner: number) => ({
  draw(context: CanvasPath, size: number) {
    const radius = Math.sqrt(size / Math.PI);
    shapeOf(study, learner).forEach(([x, y], i) => context[i === 0 ? "moveTo" : "lineTo"](radius * x, radius * y));
    context.closePath();
  },
});

/// A shape for a path element.
export const symbolPath = (study: Study, learner: number, radius: number, x0: number, y0: number) =>
  `M${shapeOf(study, learner)
    .map(([x, y]) => `${(x0 + radius * x).toFixed(2)},${(y0 + radius * y).toFixed(2)}`)
    .join("L")}Z`;
