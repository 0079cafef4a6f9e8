import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { toLabel } from '../names.ts'
import { outcomeOf, type KnownNames, type ToolLine } from '../tool_requests.ts'

/** Upper bounds in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

/** Counts requests to the tool endpoint by method, tool, era and outcome, in a few microseconds each. */
export function toolCounts({ isMethod, isTool }: KnownNames, registry: Registry) {
  const registers = [registry]
  const requests = new Counter({
    name: 'callout_mcp_requests_total',
    help: 'Requests to the tool endpoint.',
    labelNames: ['method', 'tool', 'era', 'outcome'],
    registers,
  })
  const durations = new Histogram({
    name: 'callout_mcp_request_duration_seconds',
    help: 'From a request to the tool endpoint to its answer.',
    labelNames: ['method', 'tool'],
    buckets: BOUNDS,
    registers,
  })
  const inFlight = new Gauge({
    name: 'callout_mcp_requests_in_flight',
    help: 'Requests to the tool endpoint under way.',
    registers,
  })
  const [methodOf, toolOf] = [toLabel(isMethod), toLabel(isTool)]

  return {
    begin: (): void => inFlight.inc(),
    /** `ms` is the duration. */
    end: (line: ToolLine, ms: number): void => {
      const [method, tool] = [methodOf(line.method), toolOf(line.tool)]
      inFlight.dec()
      requests.inc({ method, tool, era: line.era ?? '', outcome: outcomeOf(line) })
      durations.observe({ method, tool }, ms / 1000)
    },
  }
}
