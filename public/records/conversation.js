// @ts-check
// Marks a conversation as read once it is looked at; without script a button does.

const form = document.querySelector('form[data-reads]')
if (form instanceof HTMLFormElement) {
  const markRead = async () => {
    if (document.visibilityState !== 'visible') return
    document.removeEventListener('visibilitychange', markRead)
    const response = await fetch(form.action, {
      method: 'POST',
      body: new URLSearchParams(/** @type {[string, string][]} */ ([...new FormData(form)])),
      redirect: 'manual',
    }).catch(() => null)
    if (response?.type === 'opaqueredirect') form.remove()
    else form.parentElement?.classList.add('failed')
  }
  document.addEventListener('visibilitychange', markRead)
  void markRead()
}
