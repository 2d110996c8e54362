package io.drayage.cli.data;

import io.drayage.cargo.ColumnType;
import io.drayage.codec.CargoFile;
import io.drayage.segment.Manifest;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;
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

/** {@code drayage cargo show}. Reads a file of any size in little memory. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description = "Checks a cargo file, and shows its tables and columns.",
    footer = {"", "Example:", "  drayage cargo show plan.cargo"})
final class CargoShowCommand implements Callable<Integer> {
  private static final String ROW = "%-16s %-20s %-16s %-8s %15s %17s %9s%n";

  @Parameters(paramLabel = "FILE", description = "A file that 'drayage cargo write' made.")
  private Path file = Path.of("");

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Manifest manifest = CargoFile.inspect(file);
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "transaction %s on snapshot %d%n", manifest.transactionId(), manifest.baseSnapshot());
    out.printf(ROW, "table", "column", "part", "type", "rows", "raw bytes", "segments");
    Map<Integer, Long> segments =
        manifest.segments().stream()
            .map(Segment::part)
            .collect(Collectors.groupingBy(Part::index, Collectors.counting()));
    for (Part part : manifest.parts()) {
      printPart(out, part, segments.getOrDefault(part.index(), 0L));
    }
    out.printf(
        "ok: %,d tables, %,d raw bytes in %,d segments, file of %,d bytes, all checksums match%n",
        manifest.tables().size(),
        manifest.rawBytes(),
        manifest.segments().size(),
        Files.size(file));
    out.flush();
    return 0;
  }

  private static void printPart(PrintWriter out, Part part, long segments) {
    ColumnType type = part.type();
    String typeName = type == null ? "bits" : type.name().toLowerCase(Locale.ROOT);
    out.printf(
        ROW,
        part.table(),
        part.column().isEmpty() ? "-" : part.column(),
        nameOf(part.kind()),
        part.nullable() ? typeName + "?" : typeName,
        "%,d".formatted(part.rowCount()),
        "%,d".formatted(part.rawBytes()),
        "%,d".formatted(segments));
  }

  private static String nameOf(PartKind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
