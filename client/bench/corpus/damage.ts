/**
 * What happens to a card after it was printed or while it lies under glass. Lengths in code sides, measured from the code's
 * middle; light 0..1, and `null` where the card is gone and what lies under it shows.
 */
export type Damage =
  /** Everything beyond a ragged line is torn off. */
  | { type: 'tear'; angle: number; away: number; ragged: number }
  | { type: 'scratch'; from: Spot; to: Spot; width: number; light: number }
  /** A blow to the glass: pieces between spokes that each shift the picture a little, with bright edges. */
  | { type: 'glass'; at: Spot; spokes: readonly { angle: number; shift: Spot }[]; width: number; light: number }
  /** A message that slid over the screen, with lines of writing. */
  | { type: 'notice'; left: number; top: number; right: number; bottom: number; light: number; ink: number }

interface Spot {
  u: number
  v: number
}

/** The place whose light is seen at a spot, and the light of what lies above it, if anything does. */
interface Seen extends Spot {
  light: number | null | undefined
}

const TURN = 2 * Math.PI

/** Distance of a spot from a straight piece. */
function distance({ u, v }: Spot, from: Spot, to: Spot): number {
  const [du, dv] = [to.u - from.u, to.v - from.v]
  const along = Math.min(1, Math.max(0, ((u - from.u) * du + (v - from.v) * dv) / (du * du + dv * dv)))
  return Math.hypot(u - from.u - along * du, v - from.v - along * dv)
}

function throughGlass(spot: Spot, { at, spokes, width, light }: Extract<Damage, { type: 'glass' }>): Seen {
  const [du, dv] = [spot.u - at.u, spot.v - at.v]
  const far = Math.hypot(du, dv)
  // A crack is no straight line: it leans to and fro on its way out.
  const angle = (Math.atan2(dv, du) + 0.05 * Math.sin(far * 17) + TURN) % TURN
  let piece = spokes.at(-1)
  let gap = Number.POSITIVE_INFINITY
  // Lists made anew for each of a picture's million points would take most of its time.
  for (const spoke of spokes) {
    if (spoke.angle <= angle) piece = spoke
    gap = Math.min(gap, Math.abs(Math.sin((spoke.angle - angle) / 2)) * 2)
  }
  const onCrack = gap * far < width || Math.abs(far - 0.12) < width / 2 || far < 0.02
  return { u: spot.u + (piece?.shift.u ?? 0), v: spot.v + (piece?.shift.v ?? 0), light: onCrack ? light : undefined }
}

function covered(spot: Spot, damage: Exclude<Damage, { type: 'glass' }>): number | null | undefined {
  const { u, v } = spot
  switch (damage.type) {
    case 'tear': {
      const across = u * Math.cos(damage.angle) + v * Math.sin(damage.angle)
      const along = v * Math.cos(damage.angle) - u * Math.sin(damage.angle)
      const edge = damage.away + damage.ragged * (Math.sin(along * 23) + 0.6 * Math.sin(along * 61 + 1))
      // A torn edge shows the paper's white inside first.
      return across > edge + 0.015 ? null : across > edge ? 0.95 : undefined
    }
    case 'scratch':
      return distance(spot, damage.from, damage.to) < damage.width / 2 ? damage.light : undefined
    case 'notice': {
      if (u < damage.left || u > damage.right || v < damage.top || v > damage.bottom) return undefined
      const row = (v - damage.top) / 0.055
      const isWritten =
        u > damage.left + 0.05 && u < damage.right - 0.06 && row % 1 > 0.35 && row % 1 < 0.8 && Math.sin(u * 150) > -0.2
      return isWritten ? damage.ink : damage.light
    }
  }
}

/** What is seen at a spot of a damaged card. */
export function seenAt(spot: Spot, damages: readonly Damage[]): Seen {
  let seen: Seen = { ...spot, light: undefined }
  for (const damage of damages) {
    if (damage.type === 'glass') {
      const next = throughGlass(seen, damage)
      seen = { ...next, light: seen.light === undefined ? next.light : seen.light }
    } else {
      const light = covered(spot, damage)
      if (light !== undefined) seen = { ...seen, light }
    }
  }
  return seen
}
