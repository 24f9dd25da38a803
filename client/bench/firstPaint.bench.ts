import { type BenchRow, computeMedian } from '../../scripts/lib/benchRow.ts'
import { SetUpError } from '../../scripts/setup.mjs'
import globalSetup from '../e2e/support/globalSetup.ts'
import { TestServer } from '../e2e/support/server.ts'
import { ensureLighthouse, type Visit, visit } from './support/lighthouse.ts'

const RUNS = 5
/** The landing page, and the longest of the policy pages, which are made alike. */
const PAGES = ['/', '/terms-of-service'] as const

/** Lighthouse's mobile preset on the pages that the server renders. Without Lighthouse a line says so, and no row is made. */
export default async function bench(): Promise<BenchRow[]> {
  try {
    await ensureLighthouse()
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error
    console.log(`  ${error.message}`)
    return []
  }
  const endSetup = await globalSetup()
  const server = await TestServer.create({ ownProcess: true })
  try {
    const rows: BenchRow[] = []
    for (const path of PAGES) {
      const visits: Visit[] = []
      while (visits.length < RUNS) visits.push(await visit(new URL(path, server.url).href))
      rows.push(...rowsOf(path, visits))
    }
    return rows
  } finally {
    await server.dispose()
    await endSetup()
  }
}

/** Targets: performance 97, the others 100, LCP 1,500 ms, TBT 150 ms, CLS 0. */
function rowsOf(path: string, visits: readonly Visit[]): BenchRow[] {
  const machine = `Lighthouse's index of this machine ${Math.round(computeMedian(visits.map((one) => one.benchmarkIndex)))}`
  const row = (name: string, figures: readonly number[], target: number, unit = '', note = ''): BenchRow => ({
    name: `Lighthouse mobile, ${path}: ${name}`,
    figure: computeMedian(figures),
    unit,
    comparedWith: `target ${target}`,
    ratio: null,
    note: [`median of ${RUNS}: ${figures.map((figure) => Number(figure.toFixed(3))).join(', ')}`, note]
      .filter(Boolean)
      .join('; '),
  })
  const others = visits.map(({ scores }) => Math.min(scores.accessibility, scores['best-practices'], scores.seo))
  const ms = (figures: readonly number[]) => figures.map(Math.round)
  return [
    row(
      'performance',
      visits.map(({ scores }) => scores.performance),
      97,
      '',
      machine,
    ),
    row('accessibility, best practices and SEO, the lowest of the three', others, 100),
    row('largest contentful paint', ms(visits.map(({ lcpMs }) => lcpMs)), 1_500, 'ms'),
    row('total blocking time', ms(visits.map(({ tbtMs }) => tbtMs)), 150, 'ms'),
    row(
      'cumulative layout shift',
      visits.map(({ cls }) => cls),
      0,
    ),
  ]
}
