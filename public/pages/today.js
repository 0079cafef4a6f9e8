// @ts-check
// Sends a photo as soon as it is taken. Without script the button beside it does.

for (const form of document.querySelectorAll('.photo-form')) {
  const photo = form.querySelector('.photo')
  if (!(form instanceof HTMLFormElement) || !(photo instanceof HTMLInputElement)) continue
  // One that was chosen before the script came keeps its button: it may be one that was sent, and that Back brought back.
  if (photo.files?.length) continue
  form.classList.add('alive')
  photo.addEventListener('change', () => {
    if (photo.files?.length) form.requestSubmit()
  })
}
