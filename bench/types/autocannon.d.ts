/** The part of autocannon that the benchmarks use; the package carries no declarations. */
declare module 'autocannon' {
  type Options = { url: string; method: 'POST'; body: string; duration: number; connections: number; headers: Record<string, string> }
  type Result = { requests: { average: number }; latency: { p99: number }; '2xx': number; non2xx: number; errors: number }
  export default function autocannon(options: Options): Promise<Result>
}
