import { keepPicture, takePictures } from '../test/browser/gallery/pictures.ts'
import { startGallery } from '../test/browser/gallery/gallery.ts'
import { launch } from '../test/browser/harness/launch.ts'
import { startStillDemo } from '../test/browser/harness/still_demo.ts'

// node scripts/pictures.ts saves the pictures that test/browser/pictures.test.ts compares with;
// node scripts/pictures.ts gallery shows every component of our pages at http://127.0.0.1:3100/ until you stop it.
if (process.argv[2] === 'gallery') {
  const { url } = await startGallery(3100)
  console.log(url)
} else {
  const site = await startStillDemo()
  const browser = await launch('whole')
  try {
    await takePictures(site, browser, async (name, picture) => {
      await keepPicture(browser, name, picture)
      console.log(name)
    })
  } finally {
    await browser.close()
    await site.stop()
  }
}
