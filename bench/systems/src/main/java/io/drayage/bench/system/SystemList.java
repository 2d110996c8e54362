package io.drayage.bench.system;

import static io.drayage.internal.Texts.format;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.drayage.database.LoadMode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Systems that are compared under one name: the default, the ladder, the study's. {@value
 * #RESOURCE} contains them, with settings that the user may change; null is the command's default.
 *
 * @param size of the cargo
 * @param commit the end of a commit
 * @param budget the duration of the comparison
 * @param iterations the number of measurements of each, instead of the duration
 * @param warmup iterations before those
 * @param entries the systems in their order; the first is the baseline
 */
public record SystemList(
    @Nullable String size,
    @Nullable String commit,
    @Nullable String budget,
    @Nullable Integer iterations,
    @Nullable Integer warmup,
    @JsonProperty("systems") List<Entry> entries) {
  private static final String RESOURCE = "lists.json";

  /**
   * One system.
   *
   * @param change the difference from {@code over}; null in a list that is no ladder
   * @param system its notation
   * @param over the rung that it is compared with; null: the one before it
   * @param chunkMiB size of its chunks; null: the size of all
   * @param connections its connections; null: the number of all
   * @param load the source of a worker's snapshot of its own commit: {@code store} or {@code own}.
   *     Only for rungs that are whole commits in any case, and a ladder of their own
   */
  public record Entry(
      @Nullable String change,
      String system,
      @Nullable String over,
      @Nullable Integer chunkMiB,
      @Nullable Integer connections,
      @Nullable String load) {
    private Contender contender(SystemOptions set) {
      SystemOptions options = set;
      if (chunkMiB != null) {
        options = options.withChunkBytes(chunkMiB << 20);
      }
      if (connections != null) {
        options = options.withConnections(connections);
      }
      if (load != null) {
        options = options.withLoad(LoadMode.valueOf(load.toUpperCase(Locale.ROOT)));
      }
      Contender named = Contender.of(Systems.notation().parse(system), options);
      return new Contender(
          named.name()
              + (chunkMiB == null ? "" : format(" chunk=%dMiB", chunkMiB))
              + (connections == null ? "" : " connections=" + connections)
              + (load == null ? "" : " load=" + load),
          named.system(),
          options);
    }
  }

  public SystemList {
    entries = List.copyOf(entries);
  }

  /**
   * Returns the list with this name.
   *
   * @throws IllegalArgumentException if there is none; the message has the names
   */
  public static SystemList of(String name) {
    try (InputStream in = SystemList.class.getResourceAsStream(RESOURCE)) {
      Map<String, SystemList> lists =
          JsonMapper.builder().build().readValue(in, new TypeReference<>() {});
      SystemList list = lists.get(name);
      if (list == null) {
        throw new IllegalArgumentException(
            "there is no list of systems '%s': choose %s"
                .formatted(name, String.join(", ", lists.keySet())));
      }
      return list;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether each system is one change away from another one. */
  public boolean isLadder() {
    return entries.stream().anyMatch(entry -> entry.change != null);
  }

  /**
   * Returns the systems, with the baseline first. Each system of a ladder is compared with the one
   * that it names, or with the one before it, any other system with the baseline.
   *
   * @param set the options of all
   */
  public List<Rung> rungs(SystemOptions set) {
    Map<String, String> names = new HashMap<>();
    List<Rung> rungs = new ArrayList<>();
    for (Entry entry : entries) {
      Contender contender = entry.contender(set);
      names.putIfAbsent(entry.system, contender.name());
      boolean begins =
          rungs.isEmpty() || (entry.load != null && rungs.get(rungs.size() - 1).isShipmentAlone());
      String before =
          begins ? contender.name() : rungs.get(isLadder() ? rungs.size() - 1 : 0).name();
      rungs.add(
          new Rung(
              Objects.requireNonNullElse(entry.change, ""),
              contender,
              entry.over == null ? before : Objects.requireNonNull(names.get(entry.over))));
    }
    return List.copyOf(rungs);
  }
}
