package io.drayage.bench.columns;

import io.drayage.tables.TableEngine;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Installed codecs that are not of this library, and are measured as well.
 *
 * @param missing codecs that are not installed, with the reason, a sentence each
 * @param versions of the installed codecs, by name
 */
public record OtherCodecs(
    List<Candidate> candidates,
    List<String> missing,
    Map<String, String> versions,
    @Nullable ParquetCandidates parquet,
    @Nullable PythonCodecs python)
    implements AutoCloseable {
  /**
   * Finds the codecs and starts them.
   *
   * @param program the Python to ask; null for none
   */
  public static OtherCodecs open(@Nullable String program) throws IOException {
    List<Candidate> candidates = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    Map<String, String> versions = new TreeMap<>();
    ParquetCandidates parquet = null;
    try {
      parquet = new ParquetCandidates(TableEngine.installed().parquet());
      candidates.addAll(parquet.candidates());
      versions.put(Codecs.PARQUET, parquet.version());
    } catch (TableException e) {
      missing.add(Codecs.PARQUET + ": " + e.getMessage());
    }
    PythonCodecs python = null;
    try {
      if (program != null) {
        python = new PythonCodecs(program);
        candidates.addAll(python.candidates());
        missing.addAll(python.missing());
        versions.putAll(python.versions());
      }
    } catch (IOException e) {
      missing.add("pcodec and vortex: " + e.getMessage());
    }
    return new OtherCodecs(candidates, missing, versions, parquet, python);
  }

  @Override
  public void close() {
    if (parquet != null) {
      parquet.close();
    }
    if (python != null) {
      python.close();
    }
  }
}
