import { AppBridge } from '@modelcontextprotocol/ext-apps/app-bridge'
import type { Frame, Page } from 'playwright-core'

type Bridge = InstanceType<typeof AppBridge>
type Transport = Parameters<Bridge['connect']>[0]
type Message = Parameters<Transport['send']>[0]
type ToolResult = Parameters<Bridge['sendToolResult']>[0]

/**
 * A card as an assistant's window shows it: its frame, the first link that it asks to open, and the first height that
 * it reports.
 */
export type ShownCard = {
  frame: Frame
  link: Promise<string>
  height: Promise<number>
  tell(result: ToolResult): Promise<void>
  wear(theme: 'light' | 'dark'): Promise<void>
  close(): Promise<unknown>
}

/** Relays messages between the page, whose frame is sandboxed without an origin, and the MCP Apps host. */
const HOST = `
addEventListener('message', ({ source, data }) => {
  if (source === document.querySelector('iframe').contentWindow) fromCard(JSON.stringify(data))
})
globalThis.toCard = (text) => document.querySelector('iframe').contentWindow.postMessage(JSON.parse(text), '*')
globalThis.showCard = (html) => { document.querySelector('iframe').srcdoc = html }`

/** Shows a card's HTML in the MCP Apps host (AppBridge), and waits until the card has initialized. */
export async function showCard(page: Page, html: string, theme: 'light' | 'dark'): Promise<ShownCard> {
  let receive: ((text: string) => void) | undefined
  await page.exposeFunction('fromCard', (text: string) => receive?.(text))
  await page.setContent(
    '<!doctype html><title>Host</title><iframe sandbox="allow-scripts" title="Card" style="width:100%;height:640px;border:0"></iframe>',
  )
  await page.addScriptTag({ content: HOST })
  const transport: Transport = {
    start: async () => {
      receive = (text) => transport.onmessage?.(JSON.parse(text) as Message)
    },
    send: async (message: Message) => {
      await page.evaluate(`toCard(${JSON.stringify(JSON.stringify(message))})`)
    },
    close: async () => transport.onclose?.(),
  }
  const [link, height] = [Promise.withResolvers<string>(), Promise.withResolvers<number>()]
  const bridge = new AppBridge(null, { name: 'host', version: '1' }, { openLinks: {} }, { hostContext: { theme } })
  bridge.onopenlink = async ({ url }) => {
    link.resolve(url)
    return {}
  }
  bridge.onsizechange = (size) => {
    if (size.height !== undefined) height.resolve(size.height)
  }
  const introduced = new Promise<void>((resolve) => {
    bridge.oninitialized = () => resolve()
  })
  await bridge.connect(transport)
  await page.evaluate(`showCard(${JSON.stringify(html)})`)
  await introduced
  return {
    frame: page.frames().find((frame) => frame !== page.mainFrame())!,
    link: link.promise,
    height: height.promise,
    tell: (result) => bridge.sendToolResult(result),
    wear: async (theme) => {
      await bridge.sendHostContextChange({ theme })
    },
    close: () => bridge.teardownResource({}),
  }
}
