import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../../../src/platform/http/server.ts'

/**
 * This process listens, says so, answers as many milliseconds later as the address says, and stops on SIGTERM as the
 * service does.
 */
const { port, stopDelayMs } = JSON.parse(process.argv[2]!) as { port: number; stopDelayMs: number }
let isReady = true
const { stop } = await listen(
  async (req, res) => {
    for await (const _ of req);
    if (req.url === '/health/ready') return void res.writeHead(isReady ? 200 : 503).end()
    await sleep(Number(req.url!.slice(1)))
    res.writeHead(200, { 'Content-Length': 2 }).end('ok')
  },
  { host: '127.0.0.1', port, stopDelayMs },
)
process.on('SIGTERM', () => {
  isReady = false
  void stop().then(() => process.exit(0))
})
process.stdout.write('listens')
