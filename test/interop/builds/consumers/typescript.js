/**
 * `node typescript.js ARGUMENTS…` checks like tsc, once for each text of arguments, and prints the
 * checked files. It reads the types of TypeScript and Node once and does not check them: that would
 * take most of the time.
 */
import ts from 'typescript';

const strict = ['--strict', '--target', 'es2023', '--types', 'node'];
const isOwn = (fileName) => !/\/(?:typescript|@types|undici-types)\//.test(fileName);
const others = new Map();

for (const text of process.argv.slice(2)) {
  const { options, fileNames, errors } = ts.parseCommandLine([...strict, ...text.split(' ')]);
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile;
  host.getSourceFile = (fileName, ...rest) => {
    const file = others.get(fileName) ?? read(fileName, ...rest);
    if (!isOwn(fileName)) others.set(fileName, file);
    return file;
  };
  const program = ts.createProgram(fileNames, options, host);
  const files = program.getSourceFiles().filter(({ fileName }) => isOwn(fileName));
  const diagnostics = [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...files.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ];
  for (const { file, messageText } of diagnostics) {
    console.error(text, file?.fileName, ts.flattenDiagnosticMessageText(messageText, '\n'));
    process.exitCode = 1;
  }
  console.log(files.map(({ fileName }) => fileName).join(' '));
}
