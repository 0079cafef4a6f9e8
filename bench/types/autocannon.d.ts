/** Types for the part of autocannon that the benchmarks use; the package ships none. */
declare module 'autocannon' {
  type Request = { method: 'GET' | 'POST'; body?: string; headers: Record<string, string> }
  type Options = { url: string; duration: number; connections: number; idReplacement?: boolean } & (
    | Request
    | { requests: { method: 'POST'; setupRequest(request: Request): Request }[] }
  )
  type Result = {
    requests: { average: number }
    latency: { p99: number }
    '2xx': number
    non2xx: number
    errors: number
  }
  export default function autocannon(options: Options): Promise<Result>
}
