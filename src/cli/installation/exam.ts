import { UsageError, command } from '../command.ts'

/** Options of `callout exam`, which `exam/main.ts` runs because it starts a service of its own. */
export const examCommand = command({
  name: 'exam',
  description: 'Examines how well a model, or any MCP client, runs a back office. Uses a demo company of its own.',
  options: {
    model: { value: '<provider/model>', description: 'Model to examine, such as anthropic/claude-sonnet-4-5' },
    url: { value: '<url>', description: 'Address of a provider that speaks the format of OpenAI, such as Ollama' },
    mcp: { value: '<port>', description: 'Port for a client from outside, which you run beside this command' },
    replay: { value: '<file>', description: 'Results of an earlier exam, to be judged again' },
    scripted: { value: '<agent>', description: 'Scripted agent that checks the exam: perfect, lazy or obedient' },
    variants: { value: '<list>', description: 'acting, proposing, hostile; default all' },
    tasks: { value: '<list>', description: 'Areas or ids of tasks; default all' },
    runs: { value: '<number>', description: 'Attempts at each task; default 3 for a model, else 1' },
    price: { value: '<in,out>', description: 'Dollars for a million tokens of input and output' },
    out: { value: '<folder>', description: 'Folder for the page and the results; default exam-results' },
  },
  anyOf: ['model', 'mcp', 'replay', 'scripted'],
  run: () => {
    throw new UsageError('exam is started with callout exam', 'callout exam --model <provider/model>')
  },
})
