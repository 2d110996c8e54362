package io.drayage.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.tables.DeclaredTypes;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares two public sets of CSV files, which are not in this project, with the tables that they
 * mean. No build runs it. Clone github.com/HPI-Information-Systems/Pollock (c4533b2c) and
 * github.com/max-mapper/csv-spectrum, then run {@code mvn -B test -pl connectors/duckdb -am
 * -Dtest=PublicCsvFiles -Dsurefire.failIfNoSpecifiedTests=false -Ddrayage.pollock=$PWD/Pollock
 * -Ddrayage.csvSpectrum=$PWD/csv-spectrum}.
 */
final class PublicCsvFiles {
  /** Files that are imported as other tables than meant, with a note in the import's output. */
  private static final List<String> OTHER_TABLES =
      List.of(
          "file_field_delimiter_0x20.csv",
          "file_header_multirow_2.csv",
          "file_header_multirow_3.csv");

  /** Files that are refused without a line: an empty one, and one without a line of names. */
  private static final List<String> WITHOUT_A_LINE =
      List.of("file_no_payload.csv", "row_field_delimiter_0_0x20.csv");

  /**
   * Each file of Pollock has a clean version. The result has the format that Pollock's {@code
   * evaluate.py} expects.
   */
  @Test
  void pollock() throws Exception {
    Path root = Path.of(System.getProperty("drayage.pollock"));
    Path loaded = Files.createDirectories(root.resolve("results/drayage/polluted_files/loading"));
    Map<String, List<String>> found = new TreeMap<>();
    for (Path file : csvFiles(root.resolve("polluted_files/csv"))) {
      String name = file.getFileName().toString();
      String outcome;
      String written = "Application Error";
      try {
        Map<String, List<String>> values = texts(file);
        written = csv(values);
        Path clean = root.resolve("polluted_files/clean").resolve(name);
        outcome = values.equals(texts(clean)) ? "equal" : "another table";
        if (outcome.equals("another table")) {
          assertThat(Imported.text(file, DeclaredTypes.NONE).columns())
              .as(name)
              .anyMatch(
                  column ->
                      column.contains(", text by line 2: ")
                          || column.contains(", the only column"));
        }
      } catch (TableException e) {
        boolean hasLine = e.getMessage().startsWith(file + ", line ");
        outcome = hasLine ? "refused with its line" : "refused by name";
      }
      Files.writeString(loaded.resolve(name + "_converted.csv"), written + "\n");
      found.computeIfAbsent(outcome, key -> new ArrayList<>()).add(name);
    }
    assertThat(found.getOrDefault("another table", List.of())).isEqualTo(OTHER_TABLES);
    assertThat(found.getOrDefault("refused by name", List.of())).isEqualTo(WITHOUT_A_LINE);
    assertThat(counts(found))
        .isEqualTo("another table 3, equal 9, refused by name 2, refused with its line 2276");
  }

  /** Each file of csv-spectrum has its values as JSON. */
  @Test
  void csvSpectrum() throws Exception {
    Path root = Path.of(System.getProperty("drayage.csvSpectrum"));
    Map<String, List<String>> found = new TreeMap<>();
    for (Path file : csvFiles(root.resolve("csvs"))) {
      String name = file.getFileName().toString();
      Path json = root.resolve("json").resolve(name.replace(".csv", ".json"));
      String outcome = texts(file).equals(texts(json)) ? "equal" : "another table";
      found.computeIfAbsent(outcome, key -> new ArrayList<>()).add(name);
    }
    // Its JSON and its CSV have different phone numbers.
    assertThat(found.getOrDefault("another table", List.of()))
        .containsExactly("location_coordinates.csv");
    assertThat(counts(found)).isEqualTo("another table 1, equal 11");
  }

  private static List<Path> csvFiles(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".csv")).sorted().toList();
    }
  }

  private static String counts(Map<String, List<String>> found) {
    return found.entrySet().stream()
        .map(each -> each.getKey() + " " + each.getValue().size())
        .collect(Collectors.joining(", "));
  }

  /** Reads the file as an import does, and then again with all columns as texts. */
  private static Map<String, List<String>> texts(Path file) throws IOException {
    Map<String, String> types = new LinkedHashMap<>();
    for (String column : Imported.text(file, DeclaredTypes.NONE).values().keySet()) {
      types.put(column, "VARCHAR");
    }
    Map<String, List<String>> texts =
        new LinkedHashMap<>(Imported.text(file, new DeclaredTypes(types, List.of())).values());
    // The clean versions do not tell an empty text from a null.
    texts.replaceAll(
        (column, values) ->
            values.stream().map(value -> value.equals("null") ? "" : value).toList());
    return texts;
  }

  private static String csv(Map<String, List<String>> values) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.copyOf(values.keySet()));
    int count = values.values().iterator().next().size();
    for (int row = 0; row < count; row++) {
      int at = row;
      rows.add(values.values().stream().map(column -> column.get(at)).toList());
    }
    return rows.stream()
        .map(
            row ->
                row.stream()
                    .map(value -> '"' + value.replace("\"", "\"\"") + '"')
                    .collect(Collectors.joining(",")))
        .collect(Collectors.joining("\n"));
  }
}
