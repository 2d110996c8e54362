package io.drayage.cli.compare;

import io.drayage.bench.ladder.Rung;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.SystemNotation;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.Systems;
import java.util.ArrayList;
import java.util.List;

/** The rungs, in their order. */
final class Rungs {
  /** The published system: what everything is compared with. */
  static final String BASELINE = "grpc:java+none";

  private static final int LARGE_CHUNK_BYTES = 1 << 20;
  private static final SystemOptions DEFAULT = SystemOptions.DEFAULT;
  private static final SystemOptions LARGE_CHUNKS = DEFAULT.withChunkBytes(LARGE_CHUNK_BYTES);
  private static final SystemOptions TWO_CONNECTIONS = DEFAULT.withConnections(2);

  private Rungs() {}

  /** All of them. */
  static List<Rung> all() {
    Ladder ladder = new Ladder();
    ladder.add("as published", BASELINE, DEFAULT);
    ladder.add("buffered reads", "grpc:java-buffered+none", DEFAULT);
    // The study's other suspect, on a line of its own: Kryo's flush through LZ4's blocks.
    ladder.addOver(BASELINE, "Kryo and LZ4, as published", "grpc:kryo+lz4", DEFAULT);
    ladder.add("no Kryo flush, bulk arrays", "grpc:kryo-tuned+lz4", DEFAULT);
    ladder.addOver(
        "grpc:java-buffered+none", "bulk arrays, no objects", "grpc:kryo-tuned+none", DEFAULT);
    ladder.add("one-shot codec", "grpc:raw+none", DEFAULT);
    ladder.add("larger messages", "grpc:raw+none", LARGE_CHUNKS);
    ladder.add("tuned gRPC", "grpc-tuned:raw+none", LARGE_CHUNKS);
    ladder.add("segments, decoded into place", "grpc-tuned:raw+none@1", DEFAULT);
    ladder.add("a second codec thread", "grpc-tuned:raw+none@2", DEFAULT);
    ladder.add("raw Netty", "netty:raw+none@2", DEFAULT);
    ladder.add("two connections", "netty:raw+none@2", TWO_CONNECTIONS);
    ladder.addOver("netty:raw+none@2", "io_uring for epoll", "netty-io_uring:raw+none@2", DEFAULT);
    return ladder.rungs();
  }

  /** Collects rungs, each over the one before unless it says otherwise. */
  private static final class Ladder {
    private final SystemNotation notation = Systems.notation();
    private final List<Rung> rungs = new ArrayList<>();

    void add(String change, String system, SystemOptions options) {
      String name = name(system, options);
      addOver(rungs.isEmpty() ? name : rungs.get(rungs.size() - 1).name(), change, system, options);
    }

    void addOver(String over, String change, String system, SystemOptions options) {
      Contender contender = new Contender(name(system, options), notation.parse(system), options);
      rungs.add(new Rung(change, contender, over));
    }

    private static String name(String system, SystemOptions options) {
      StringBuilder name = new StringBuilder(system);
      if (options.chunkBytes() != DEFAULT.chunkBytes()) {
        name.append(" chunk=").append(options.chunkBytes() >> 20).append("MiB");
      }
      if (options.connections() != DEFAULT.connections()) {
        name.append(" connections=").append(options.connections());
      }
      return name.toString();
    }

    List<Rung> rungs() {
      return List.copyOf(rungs);
    }
  }
}
