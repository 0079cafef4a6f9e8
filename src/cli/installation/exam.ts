import { UsageError, command } from '../command.ts'

/** Options of `callout exam`, which `exam/main.ts` runs because it starts a service of its own. */
export const examCommand = command({
  name: 'exam',
  description: 'Examines how well a model, or any MCP client, runs a back office. Uses a demo company of its own.',
  options: {
    model: { value: '<provider/model>', description: 'Model to examine, such as anthropic/claude-sonnet-4-5' },
    url: { value: '<url>', description: 'Address of an OpenAI-compatible provider, such as Ollama' },
    mcp: { value: '<port>', description: 'Port for an external MCP client that you run alongside' },
    replay: { value: '<file>', description: 'Results of an earlier exam to grade again' },
    scripted: { value: '<agent>', description: 'Scripted agent that checks the exam: perfect, lazy or obedient' },
    variants: { value: '<list>', description: 'Variants: acting, proposing, hostile (all)' },
    tasks: { value: '<list>', description: 'Areas or ids of tasks (all)' },
    runs: { value: '<number>', description: 'Number of attempts per task (3 for a model, else 1)' },
    price: { value: '<in,out>', description: 'Price in dollars per million input and output tokens' },
    out: { value: '<folder>', description: 'Folder for the page and the results (exam-results)' },
  },
  anyOf: ['model', 'mcp', 'replay', 'scripted'],
  run: () => {
    throw new UsageError('start the exam with callout exam', 'callout exam --model <provider/model>')
  },
})
