package io.drayage.bench.system;

import io.drayage.codec.Compressors;
import io.drayage.codec.Levels;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A system of others that takes part, in processes with a class path of their own. It ships a cargo
 * and holds it; it has no database, so nothing is committed.
 *
 * @param notation what stands in the place of a transport, and the folder in {@code bench/peers}
 * @param mainClass the main class of its processes
 * @param parts the parts that it may be put together from
 * @param jvmOptions what their JVMs need besides what all have
 */
public record PeerSystem(String notation, String mainClass, Parts parts, List<String> jvmOptions) {
  private static final PeerSystem ARROW_FLIGHT =
      new PeerSystem(
          "arrow-flight",
          "io.drayage.bench.peers.arrow.ArrowFlightPeer",
          new Parts(List.of("arrow"), Map.of("none", Levels.NONE, "zstd", zstd()), "arrow+none"),
          // It reaches into the memory of direct buffers.
          List.of("--add-opens=java.base/java.nio=ALL-UNNAMED"));

  /** Kryo, Zstandard with its own threads, and one plain socket. */
  private static final PeerSystem SOCKET =
      new PeerSystem(
          "socket",
          "io.drayage.bench.peers.socket.SocketPeer",
          new Parts(List.of("kryo-tuned"), Map.of("none", Levels.NONE, "zstd-mt", zstd()), null),
          // It asks for the number of its socket, to set the congestion control.
          List.of("--add-exports=java.base/sun.nio.ch=ALL-UNNAMED"));

  public PeerSystem {
    jvmOptions = List.copyOf(jvmOptions);
  }

  private static Levels zstd() {
    return Compressors.ofName("zstd").levels();
  }

  /** All that there are. */
  public static List<PeerSystem> all() {
    return List.of(ARROW_FLIGHT, SOCKET);
  }

  /** The one that stands in the place of a transport in this system's notation; empty if none. */
  public static Optional<PeerSystem> of(SystemUnderTest system) {
    return all().stream().filter(peer -> peer.notation.equals(system.transport())).findFirst();
  }

  /** Its jar, whose manifest names what else is on its class path; it may not be there. */
  public Path jar() {
    return peersFolder().resolve(notation).resolve("target").resolve(notation + ".jar");
  }

  /** Why it cannot be run, in a line; empty if it can. */
  public Optional<String> whyUnusable() {
    return Files.isRegularFile(jar())
        ? Optional.empty()
        : Optional.of(
            "%s is not built: ./drayage builds it when an argument names it, and so does 'mvn package -DskipTests -pl bench/peers/%s -am'"
                .formatted(notation, notation));
  }

  /** In the nearest folder above this class that has one: a checkout's. */
  private static Path peersFolder() {
    Path peers = Path.of("bench", "peers");
    try {
      Path code =
          Path.of(PeerSystem.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      for (Path folder = code; folder != null; folder = folder.getParent()) {
        if (Files.isDirectory(folder.resolve(peers))) {
          return folder.resolve(peers);
        }
      }
      return peers;
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
