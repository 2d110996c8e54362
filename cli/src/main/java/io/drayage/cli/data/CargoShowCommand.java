package io.drayage.cli.data;

import io.drayage.bench.table.Format;
import io.drayage.bench.table.Table;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.TableSchema;
import io.drayage.codec.CargoFile;
import io.drayage.internal.Counted;
import io.drayage.segment.Manifest;
import io.drayage.segment.Part;
import io.drayage.segment.Segment;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drayage cargo show}: reads a file of any size in little memory. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description = "Checks a cargo file, and shows its tables and columns.",
    footer = {
      "",
      "Examples:",
      "  drayage cargo write plan.cargo",
      "  drayage cargo show plan.cargo"
    })
final class CargoShowCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "A file that 'drayage cargo write' made.")
  private Path file = Path.of("");

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Manifest manifest = CargoFile.inspect(file);
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "transaction %s on snapshot %d%n",
        manifest.transactionId(),
        manifest.baseSnapshot());
    manifest.droppedTables().forEach(table -> out.printf("drops table %s%n", table));
    for (TableSchema added : manifest.newTables()) {
      out.printf(
          "adds table %s%s (%s)%n",
          added.name(),
          manifest.mustBeNew().contains(added.name()) ? ", which must be new" : "",
          added.columns().stream().map(ColumnSchema::toString).collect(Collectors.joining(", ")));
    }
    Map<Part, Long> segments =
        manifest.segments().stream()
            .collect(Collectors.groupingBy(Segment::part, Collectors.counting()));
    Table.<Part>of("Parts", manifest.parts())
        .text("table", Part::table)
        .text("column", part -> part.column().isEmpty() ? "-" : part.column())
        .text("part", part -> lowerCase(part.kind()).replace('_', ' '))
        .text("type", CargoShowCommand::type)
        .number("rows", Format.COUNT, Part::rowCount)
        .number("raw bytes", Format.COUNT, Part::rawBytes)
        .number("segments", Format.COUNT, part -> segments.getOrDefault(part, 0L))
        .build()
        .toText()
        .forEach(out::println);
    out.printf(
        "ok: %s, %s in %s, file of %s, all checksums match%n",
        Counted.of(manifest.tables().size(), "table"),
        Counted.of(manifest.rawBytes(), "raw byte"),
        Counted.of(manifest.segments().size(), "segment"),
        Counted.of(Files.size(file), "byte"));
    return 0;
  }

  private static String type(Part part) {
    String type = part.type() == null ? "bits" : lowerCase(part.type());
    return part.nullable() ? type + "?" : type;
  }

  private static String lowerCase(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
