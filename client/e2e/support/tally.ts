interface Line {
  what: string
  tally: string
  screen: string
}

/** What somebody with paper and a clicker counts during an evening, and what the screens say of it. */
export class Tally {
  readonly gates = new Map<string, number>()
  #lines: Line[] = []

  get people(): number {
    return [...this.gates.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Rupees that came in, by any way. */
  received = 0

  receive(rupees: number): void {
    this.received += rupees
  }

  letIn(gate: string): void {
    this.gates.set(gate, (this.gates.get(gate) ?? 0) + 1)
  }

  note(what: string, tally: number | string, screen: number | string | null): void {
    this.#lines.push({ what, tally: String(tally), screen: (screen === null ? '' : String(screen)).trim() })
  }

  wrong(): Line[] {
    return this.#lines.filter(({ tally, screen }) => tally !== screen)
  }

  /** Each line of the tally beside what the screen showed. */
  printed(): string {
    const widths = [
      Math.max(...this.#lines.map(({ what }) => what.length)),
      Math.max(5, ...this.#lines.map(({ tally }) => tally.length)),
    ] as const
    const row = (what: string, tally: string, screen: string) =>
      `${what.padEnd(widths[0])}  ${tally.padStart(widths[1])}  ${screen}`
    return [
      row('', 'Tally', 'Screen'),
      ...this.#lines.map(({ what, tally, screen }) =>
        row(what, tally, tally === screen ? screen : `${screen}  DIFFERS`),
      ),
    ].join('\n')
  }
}
