// @ts-check
// Sends a photo as soon as it is taken. Without script the button beside it does.

for (const form of document.querySelectorAll('.photo-form')) {
  const photo = form.querySelector('.photo')
  if (!(form instanceof HTMLFormElement) || !(photo instanceof HTMLInputElement)) continue
  form.classList.add('alive')
  photo.addEventListener('change', () => {
    if (photo.files?.length) form.requestSubmit()
  })
}
