package io.drayage.bench.doctor;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.drayage.bench.environment.Environment;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
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
    description = "Shows what this machine can do, and what that means for the other commands.",
    footer = {
      "",
      "Exit code: 0 if throughput can run, 1 if not.",
      "",
      "Example:",
      "  drayage doctor --json doctor.json"
    })
public final class DoctorCommand implements Callable<Integer> {
  private static final int SCHEMA = 1;

  @Option(names = "--json", paramLabel = "FILE", description = "Also write the result as JSON.")
  private @Nullable Path jsonFile;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Diagnosis diagnosis = Diagnosis.ofThisMachine();
    PrintWriter out = spec.commandLine().getOut();
    out.print(diagnosis.toText());
    out.flush();
    if (jsonFile != null) {
      new ObjectMapper()
          .writerWithDefaultPrettyPrinter()
          .writeValue(jsonFile.toFile(), json(diagnosis));
    }
    return diagnosis.ready() ? 0 : 1;
  }

  private static Map<String, Object> json(Diagnosis diagnosis) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("schema", SCHEMA);
    json.put("environment", Environment.capture());
    json.put("config", Map.of());
    json.put("ready", diagnosis.ready());
    json.put("verdict", diagnosis.verdict());
    json.put("summary", diagnosis.findings().stream().map(DoctorCommand::row).toList());
    return json;
  }

  private static Map<String, Object> row(Finding finding) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("mark", finding.mark().label());
    row.put("what", finding.what());
    row.put("value", finding.value());
    row.put("meaning", finding.meaning());
    return row;
  }
}
