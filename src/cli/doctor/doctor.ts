import { command } from '../command.ts'

/** Its checks are loaded when it runs: they reach into every room. */
export const doctorCommand = command({
  name: 'doctor',
  description: 'Diagnoses this installation and suggests fixes.',
  options: {},
  run: async () => (await import('./diagnosis.ts')).diagnose(),
})
