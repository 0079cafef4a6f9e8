import { existsSync } from 'node:fs'

const firstOf = (paths: readonly string[]): string | undefined => paths.find((path) => existsSync(path))

/** Path of Chromium, or undefined if it isn't installed. */
export const CHROMIUM = firstOf(['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'])

/** Path of Chromium without windows and notifications, which takes a third less processor time. */
export const HEADLESS_SHELL = firstOf(['/usr/bin/chromium-headless-shell'])
