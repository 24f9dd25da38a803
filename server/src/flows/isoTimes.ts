type WithIsoTimes<Row> = {
  [Name in keyof Row]: Row[Name] extends Date ? string : Row[Name] extends Date | null ? string | null : Row[Name]
}

export const withIsoTimes = <Row extends object>(row: Row): WithIsoTimes<Row> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  ) as WithIsoTimes<Row>
