package io.drayage.bench.system;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Systems that are compared under one name: the ladder, the study's, the default. They stand in
 * {@value #RESOURCE}; an entry's {@code over} is the rung that it is compared with, by default the
 * one before it.
 *
 * @param iterations how often each is measured; null: as the command does by default
 * @param warmup iterations before those, likewise
 * @param rungs the systems in their order; the first is the baseline
 */
public record SystemList(@Nullable Integer iterations, @Nullable Integer warmup, List<Rung> rungs) {
  private static final String RESOURCE = "lists.json";

  private record Entry(
      @Nullable String change,
      String system,
      @Nullable String over,
      @Nullable Integer chunkMiB,
      @Nullable Integer connections) {
    String name() {
      return system
          + (chunkMiB == null ? "" : " chunk=%dMiB".formatted(chunkMiB))
          + (connections == null ? "" : " connections=" + connections);
    }

    Contender contender() {
      SystemOptions options = SystemOptions.DEFAULT;
      if (chunkMiB != null) {
        options = options.withChunkBytes(chunkMiB << 20);
      }
      if (connections != null) {
        options = options.withConnections(connections);
      }
      return new Contender(name(), Systems.notation().parse(system), options);
    }
  }

  private record Kept(
      @Nullable Integer iterations,
      @Nullable Integer warmup,
      @JsonProperty("systems") List<Entry> entries) {
    SystemList list() {
      List<Rung> rungs = new ArrayList<>();
      for (Entry entry : entries) {
        String before = rungs.isEmpty() ? entry.name() : rungs.get(rungs.size() - 1).name();
        rungs.add(
            new Rung(
                Objects.requireNonNullElse(entry.change, ""),
                entry.contender(),
                Objects.requireNonNullElse(entry.over, before)));
      }
      return new SystemList(iterations, warmup, rungs);
    }
  }

  public SystemList {
    rungs = List.copyOf(rungs);
  }

  /**
   * The list with this name.
   *
   * @throws IllegalArgumentException if there is none, naming those that there are
   */
  public static SystemList of(String name) {
    Map<String, Kept> lists = new LinkedHashMap<>();
    try (InputStream in = SystemList.class.getResourceAsStream(RESOURCE)) {
      JsonMapper json = JsonMapper.builder().build();
      json.readTree(in)
          .properties()
          .forEach(
              list -> lists.put(list.getKey(), json.convertValue(list.getValue(), Kept.class)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Kept kept = lists.get(name);
    if (kept == null) {
      throw new IllegalArgumentException(
          "there is no list of systems '%s': choose %s"
              .formatted(name, String.join(", ", lists.keySet())));
    }
    return kept.list();
  }

  /** The first system, with which the others are compared. */
  public String baseline() {
    return rungs.get(0).name();
  }

  /** The systems, without what is set beside their notation. */
  public List<SystemUnderTest> systems() {
    return rungs.stream().map(rung -> rung.contender().system()).toList();
  }
}
