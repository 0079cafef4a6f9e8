import { command } from '../command.ts'

/** Doctor command. Its checks are imported on demand, because they depend on most of the code. */
export const doctorCommand = command({
  name: 'doctor',
  description: 'Diagnoses this installation and suggests fixes.',
  options: {},
  run: async () => (await import('./diagnosis.ts')).diagnose(),
})
