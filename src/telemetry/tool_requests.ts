import type { Family, Sample } from './exposition.ts'
import { labelled } from './names.ts'

/** A request to the tool endpoint that has ended, as the log has it. What is missing was never known. */
export type ToolLine = {
  credential?: string
  tenant?: string
  method?: string | null
  /** Names the requested tool or prompt. */
  tool?: string | null
  era?: string | null
  client?: string | null
  status: number
  errorCode: number | string | null
  bytes: number
  reference?: string
  /** Comes from the request's own `_meta`; it is not for the log. */
  traceparent?: string
}

/** Says which names may become labels: methods of the protocol; tools and prompts. */
export type KnownNames = { isMethod(name: string): boolean; isTool(name: string): boolean }

/** Upper bounds, in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15] as const

type Series = { method: string; tool: string; outcomes: Map<string, number>; buckets: Float64Array; seconds: number; count: number }

/** Counts requests to the tool endpoint by method, tool, era and outcome, in well under a microsecond each. */
export function toolRequests({ isMethod, isTool }: KnownNames) {
  const [methodOf, toolOf] = [labelled(isMethod), labelled(isTool)]
  const byMethod = new Map<string, Map<string, Series>>()
  let inFlight = 0

  function seriesOf(method: string, tool: string): Series {
    let byTool = byMethod.get(method)
    if (byTool === undefined) byMethod.set(method, byTool = new Map())
    let series = byTool.get(tool)
    if (series === undefined) {
      series = { method, tool, outcomes: new Map(), buckets: new Float64Array(BOUNDS.length), seconds: 0, count: 0 }
      byTool.set(tool, series)
    }
    return series
  }

  return {
    began: (): void => void inFlight++,
    /** `ms` is how long it took. */
    ended: (line: ToolLine, ms: number): void => {
      inFlight--
      const series = seriesOf(methodOf(line.method), toolOf(line.tool))
      const key = `${line.era ?? ''} ${outcomeOf(line)}`
      series.outcomes.set(key, (series.outcomes.get(key) ?? 0) + 1)
      const seconds = ms / 1000
      let at = 0
      while (at < BOUNDS.length && seconds > BOUNDS[at]!) at++
      if (at < BOUNDS.length) series.buckets[at]!++
      series.seconds += seconds
      series.count++
    },
    families: (): Family[] => {
      const all = [...byMethod.values()].flatMap((byTool) => [...byTool.values()])
      return [
        { name: 'callout_mcp_requests_total', kind: 'counter', help: 'Requests to the tool endpoint.', samples: all.flatMap(outcomesOf) },
        { name: 'callout_mcp_request_duration_seconds', kind: 'histogram', help: 'From a request to the tool endpoint to its answer.', samples: all.flatMap(durationsOf) },
        { name: 'callout_mcp_requests_in_flight', kind: 'gauge', help: 'Requests to the tool endpoint under way.', samples: [{ value: inFlight }] },
      ]
    },
  }
}

/** `ok`, or a code of docs/spec/interface.md#tool-errors or of the protocol; never what somebody sent. */
export const outcomeOf = ({ status, errorCode }: Pick<ToolLine, 'status' | 'errorCode'>): string =>
  (status === 499 ? 'client_left' : errorCode === null ? 'ok' : String(errorCode))

const outcomesOf = ({ method, tool, outcomes }: Series): Sample[] => [...outcomes].map(([key, value]) => {
  const [era = '', outcome = ''] = key.split(' ')
  return { labels: { method, tool, era, outcome }, value }
})

function durationsOf({ method, tool, buckets, seconds, count }: Series): Sample[] {
  let below = 0
  const bounded = BOUNDS.map((bound, at) => ({ part: '_bucket' as const, labels: { method, tool, le: String(bound) }, value: below += buckets[at]! }))
  const labels = { method, tool }
  return [...bounded, { part: '_bucket', labels: { ...labels, le: '+Inf' }, value: count }, { part: '_sum', labels, value: seconds }, { part: '_count', labels, value: count }]
}
