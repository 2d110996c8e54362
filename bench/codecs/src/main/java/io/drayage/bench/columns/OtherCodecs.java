package io.drayage.bench.columns;

import io.drayage.tables.TableEngine;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Installed codecs that are not of this library, and are measured as well. */
public final class OtherCodecs implements AutoCloseable {
  private final List<Candidate> candidates = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();
  private final Map<String, String> versions = new TreeMap<>();
  private @Nullable ParquetCandidates parquet;
  private @Nullable PythonCodecs python;

  /**
   * Finds the codecs and starts them.
   *
   * @param program the Python to ask; null for none
   */
  public OtherCodecs(@Nullable String program) throws IOException {
    try {
      parquet = new ParquetCandidates(TableEngine.installed().parquet());
      candidates.addAll(parquet.candidates());
      versions.put(Codecs.PARQUET, parquet.version());
    } catch (TableException e) {
      missing.add(Codecs.PARQUET + ": " + e.getMessage());
    }
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
  }

  public List<Candidate> candidates() {
    return candidates;
  }

  /** Returns the codecs that are not installed, with the reason, a sentence each. */
  public List<String> missing() {
    return missing;
  }

  /** Returns the versions of the installed codecs, by name. */
  public Map<String, String> versions() {
    return versions;
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
