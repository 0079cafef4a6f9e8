// @ts-check

/**
 * Keeps a stream of server-sent events open while the page is visible; `open` returns null where there is none now.
 * @param {() => EventSource | null} open
 */
export function keepStreamOpen(open) {
  /** @type {EventSource | null} */
  let source = null
  const connect = () => {
    if (!document.hidden) source ??= open()
  }
  const disconnect = () => {
    source?.close()
    source = null
  }
  document.addEventListener('visibilitychange', () => (document.hidden ? disconnect() : connect()))
  window.addEventListener('pagehide', disconnect)
  window.addEventListener('pageshow', connect)
  connect()
  return { connect, disconnect }
}
