/** Points with a real minus sign, which is as wide as a figure and is read out as one. */
export function minus(points: number): string {
  return points < 0 ? `−${-points}` : String(points);
}
