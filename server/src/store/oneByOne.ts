import type Database from 'better-sqlite3'
import { answerOf, type Connection, type Piece } from './hand.ts'
import type { WriteTx } from './sql.ts'
import { type Around, pieceOn } from './turn.ts'

/** Runs work on one SQLite connection, one piece after the other, each whole or not at all. */
export class OneByOne {
  readonly #piece: Piece
  #asked = 0
  #last: Promise<unknown> = Promise.resolve()

  constructor(sqlite: Database.Database, connection: Connection, around: Around) {
    this.#piece = pieceOn(sqlite, connection, around)
  }

  /** Pieces asked for so far. */
  get asked(): number {
    return this.#asked
  }

  run<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    this.#asked += 1
    const running = this.#last.then(() => this.#piece(work)).then(answerOf)
    this.#last = running.catch(() => undefined)
    return running
  }

  /** Resolves when all work asked for is done. */
  async drain(): Promise<void> {
    await this.#last
  }
}
