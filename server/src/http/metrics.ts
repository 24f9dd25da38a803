import { hash, timingSafeEqual } from 'node:crypto'
import type { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Deps } from '../flows/deps.ts'
import { type SystemFigures, systemFigures } from '../flows/watch/health.ts'
import { Refusal } from '../refusal.ts'
import { isLoopback } from '../settings/variables.ts'
import { type Ctx, type Env, findBearerToken, getClientAddress, isDirect } from './context.ts'

/** Seconds. A scan should be answered in a tenth; a phone gives up after 1.5. */
const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 5, 15]

export interface Metrics {
  measure: ReturnType<typeof createMiddleware<Env>>
  mount: (app: Hono<Env>) => void
}

/**
 * Serves figures for Prometheus at /metrics, to holders of METRICS_TOKEN. Without a token they go to this machine only,
 * and behind a proxy to nobody.
 */
export function makeMetrics(deps: Deps): Metrics {
  const registry = new Registry()
  const requests = new Histogram({
    name: 'garba_request_seconds',
    help: 'Time to answer a request, by call and status',
    labelNames: ['call', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  })
  const figures = makeGauges(registry)
  return {
    measure: createMiddleware<Env>(async (c, next) => {
      const from = performance.now()
      await next()
      const { call = 'none' } = c.var
      requests.observe({ call, status: c.res.status }, (performance.now() - from) / 1_000)
    }),
    mount: (app) =>
      app.get('/metrics', async (c) => {
        c.set('call', 'metrics')
        requireMonitor(c, deps)
        figures(await systemFigures(deps))
        return c.text(await registry.metrics(), 200, {
          'Content-Type': registry.contentType,
        })
      }),
  }
}

/** A request through a proxy is not from this machine, whatever the socket says. */
function requireMonitor(c: Ctx, { settings: { metricsToken, trustedProxies } }: Deps): void {
  if (metricsToken !== null) {
    const token = findBearerToken(c)
    if (token === null || !isSame(token, metricsToken)) throw new Refusal('UNAUTHENTICATED')
    return
  }
  if (trustedProxies > 0 || !isDirect(c) || !isLoopback(getClientAddress(c, 0))) throw new Refusal('FORBIDDEN')
}

const isSame = (given: string, expected: string): boolean =>
  timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))

function makeGauges(registry: Registry): (figures: SystemFigures) => void {
  const registers = [registry]
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge({ name: `garba_${name}`, help, labelNames, registers })
  const counter = (name: string, help: string) => new Counter({ name: `garba_${name}`, help, registers })
  const tickets = gauge('tickets', 'Tickets of all events, by status', 'status')
  const orders = gauge('orders', 'Orders of all events, by state and channel', 'state', 'channel')
  const scans = gauge('scans', 'Scans, by outcome', 'outcome')
  const refusals = gauge('refusals', 'Codes refused at the gate, by reason', 'code')
  const jobs = gauge('jobs_due', 'Work that is due and not done, by kind', 'kind')
  const bounced = gauge('mails_bounced', 'Mails that will never arrive')
  const unsent = gauge('unsent_scans', 'Scans that scanners had not sent when they last called')
  const devices = gauge('scanners', 'Scanners of the last 12 hours: calling, or silent for five minutes', 'state')
  const inside = gauge('people_inside', 'People inside the ground: the bounds differ while phones are silent', 'bound')
  const gateInside = gauge('gate_people_inside', 'People inside by gate: in, less out, plus counted', 'gate')
  const capacity = gauge('people_capacity', 'People that the ground may hold')
  const waiting = gauge('writes_waiting', 'Writes that wait for their commit')
  const commits = counter('commits_total', 'Commits since the start')
  const writes = counter('writes_total', 'Writes since the start')
  const commitSeconds = counter('commit_seconds_total', 'Time spent committing since the start, disk sync included')
  const backupAge = gauge('backup_age_seconds', 'Age of the last backup')
  const webhookAge = gauge('webhook_age_seconds', 'Time since the payment provider last called')
  return (figures) => {
    const { load } = figures
    for (const counted of [tickets, orders, scans, refusals, jobs, commits, writes, commitSeconds]) counted.reset()
    for (const { count, ...labels } of figures.tickets) tickets.set(labels, count)
    for (const { count, ...labels } of figures.orders) orders.set(labels, count)
    for (const { count, ...labels } of figures.scans) scans.set(labels, count)
    for (const { count, ...labels } of figures.refusals) refusals.set(labels, count)
    for (const { count, ...labels } of figures.jobs) jobs.set(labels, count)
    bounced.set(figures.mailsBounced)
    unsent.set(figures.unsent)
    devices.set({ state: 'calling' }, figures.devices.calling)
    devices.set({ state: 'silent' }, figures.devices.silent)
    for (const gauged of [inside, gateInside]) gauged.reset()
    if (figures.inside) {
      inside.set({ bound: 'low' }, figures.inside.low)
      inside.set({ bound: 'high' }, figures.inside.high)
      for (const { gate, inside: count } of figures.inside.gates) gateInside.set({ gate: gate ?? '' }, count)
    }
    if (figures.capacity === null) capacity.remove()
    else capacity.set(figures.capacity)
    waiting.set(load.waiting)
    commits.inc(load.commits)
    writes.inc(load.writes)
    commitSeconds.inc(load.commitSeconds)
    // An age is unknown, and so absent, until the event has happened once.
    for (const [age, seconds] of [
      [backupAge, figures.backupAge],
      [webhookAge, figures.webhookAge],
    ] as const)
      if (seconds === null) age.remove()
      else age.set(seconds)
  }
}
