import { useCallback, useState } from 'react'

/** The selected rows, by id. Kept across pages, so that one action can cover rows of several. */
export function useSelection<Row extends { _id: string }>() {
  const [rows, setRows] = useState<ReadonlyMap<string, Row>>(new Map())
  const toggle = useCallback((changed: readonly Row[], on: boolean) => {
    setRows((before) => {
      const next = new Map(before)
      for (const row of changed) {
        if (on) next.set(row._id, row)
        else next.delete(row._id)
      }
      return next
    })
  }, [])
  const clear = useCallback(() => setRows(new Map()), [])
  return { rows, toggle, clear }
}
