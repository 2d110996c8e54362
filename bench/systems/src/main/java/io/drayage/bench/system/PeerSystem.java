package io.drayage.bench.system;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.drayage.bench.environment.Checkout;
import io.drayage.codec.Compressors;
import io.drayage.codec.Levels;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A system of another project that takes part, in processes with a class path of their own. It only
 * receives cargoes: it has no database to commit to.
 *
 * @param notation the name in the place of a transport, and the folder in {@code bench/peers}
 * @param mainClass the main class of its processes
 * @param serializers the names of its serializers
 * @param compressors the names of its compressors, and of our compressors with the same levels
 * @param plain the meaning of its name alone; null if it cannot be alone
 * @param jvmOptions further options of its JVMs, besides the common ones
 */
public record PeerSystem(
    String notation,
    String mainClass,
    List<String> serializers,
    Map<String, String> compressors,
    @Nullable String plain,
    List<String> jvmOptions) {
  private static final List<PeerSystem> ALL = read();

  public PeerSystem {
    serializers = List.copyOf(serializers);
    compressors = Map.copyOf(compressors);
    jvmOptions = List.copyOf(jvmOptions);
  }

  private static List<PeerSystem> read() {
    try (InputStream in = PeerSystem.class.getResourceAsStream("peers.json")) {
      return List.of(JsonMapper.builder().build().readValue(in, PeerSystem[].class));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static List<PeerSystem> all() {
    return ALL;
  }

  /** Returns the peer in the place of a transport in this system's notation; empty if none. */
  public static Optional<PeerSystem> of(SystemUnderTest system) {
    return all().stream().filter(peer -> peer.notation.equals(system.transport())).findFirst();
  }

  /** Returns the parts that the peer can be combined with. */
  Parts parts() {
    Map<String, Levels> levels = new HashMap<>();
    compressors.forEach((name, ours) -> levels.put(name, Compressors.ofName(ours).levels()));
    return new Parts(serializers, levels, plain);
  }

  /** Returns the peer's jar, whose manifest has its class path. The jar may be missing. */
  public Path jar() {
    return Checkout.jar(Checkout.folder(Path.of("bench", "peers")).resolve(notation));
  }

  /** Returns the reason why the peer cannot be run, in a line; empty if it can. */
  public Optional<String> whyUnusable() {
    return Files.isRegularFile(jar())
        ? Optional.empty()
        : Optional.of(
            notation
                + " is not built: in a checkout ./drayage builds it when an argument names it");
  }
}
