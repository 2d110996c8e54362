package io.drayage.cli.explain;

import io.drayage.bench.doctor.Diagnosis;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drayage doctor}. Exit code 0 if throughput can run, 1 if not. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description =
        "Shows the capabilities of this machine, and their effects on the other commands.",
    footer = {
      "",
      "Exit code: 0 if throughput can run, 1 if not.",
      "",
      "Examples:",
      "  drayage doctor --json doctor.json"
    })
public final class DoctorCommand implements Callable<Integer> {
  @Option(names = "--json", paramLabel = "FILE", description = "Also write the result as JSON.")
  private @Nullable Path jsonFile;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Diagnosis diagnosis = Diagnosis.ofThisMachine();
    PrintWriter out = spec.commandLine().getOut();
    diagnosis.table().toText().forEach(out::println);
    out.println(diagnosis.verdict());
    if (jsonFile != null) {
      diagnosis.result().writeTo(jsonFile);
    }
    return diagnosis.ready() ? 0 : 1;
  }
}
