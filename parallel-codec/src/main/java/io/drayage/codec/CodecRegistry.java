package io.drayage.codec;

import static io.drayage.internal.Texts.format;

import io.drayage.internal.Providers;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The codecs of one kind, by their number on the wire and by their name: this library's codecs,
 * those of this project's other modules on the class path, and any others that are found. A found
 * codec cannot be used if its number or its name is taken or outside its range. The registry leaves
 * it out, and names it in the log and in the error of a lookup. If two found codecs claim the same
 * number or name, neither is used: the other end might find them in another order. Immutable.
 *
 * @param <C> serializers or compressors
 */
final class CodecRegistry<C extends Codec> {
  private static final System.Logger LOG = System.getLogger(CodecRegistry.class.getName());
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");

  private final String kind;
  private final List<C> all;
  private final List<String> refused;
  private final Map<String, String> artifacts;

  /**
   * A registry of the codecs of this library and of the providers of {@code service}. This
   * project's own providers have classes in {@code io.drayage}.
   *
   * @param kind the kind of the codecs, for messages: {@code serializer}
   * @param artifacts the artifacts of this project's codecs in other modules, by the codec's name
   */
  static <C extends Codec> CodecRegistry<C> of(
      String kind, List<? extends C> builtIn, Class<C> service, Map<String, String> artifacts) {
    Providers<C> providers = Providers.of(service);
    CodecRegistry<C> registry =
        new CodecRegistry<>(
            kind,
            builtIn,
            providers.found().stream()
                // A user's service file may name them as well.
                .filter(codec -> builtIn.stream().noneMatch(b -> b.getClass() == codec.getClass()))
                .toList(),
            providers.errors(),
            codec -> codec.getClass().getName().startsWith("io.drayage."),
            artifacts);
    registry.refused.forEach(why -> LOG.log(Level.WARNING, why));
    return registry;
  }

  /**
   * @param errors the reasons why providers could not be loaded
   * @param isOurs whether a codec has a number of this project
   * @param artifacts as in {@link #of}
   */
  CodecRegistry(
      String kind,
      List<? extends C> builtIn,
      List<? extends C> found,
      List<String> errors,
      Predicate<C> isOurs,
      Map<String, String> artifacts) {
    this.kind = kind;
    this.artifacts = Map.copyOf(artifacts);
    List<C> codecs = new ArrayList<>(builtIn);
    List<String> refusals = new ArrayList<>(errors);
    Map<Boolean, List<C>> byOrigin = found.stream().collect(Collectors.partitioningBy(isOurs));
    for (boolean ours : new boolean[] {true, false}) {
      refusals.addAll(add(byOrigin.get(ours), ours, codecs));
    }
    codecs.sort(Comparator.comparingInt(Codec::id));
    this.all = List.copyOf(codecs);
    this.refused = List.copyOf(refusals);
  }

  /** Adds each codec that can be used beside {@code codecs}, and returns why the others cannot. */
  private List<String> add(List<C> found, boolean ours, List<C> codecs) {
    List<String> refusals = new ArrayList<>();
    List<C> usable = new ArrayList<>();
    for (C codec : found) {
      String why = defect(codec, ours, codecs);
      if (why == null) {
        usable.add(codec);
      } else {
        refusals.add(why);
      }
    }
    for (C codec : usable) {
      String why = clash(codec, usable);
      if (why == null) {
        codecs.add(codec);
      } else {
        refusals.add(why);
      }
    }
    return refusals;
  }

  /** The reason why a codec cannot be used beside others; null if it can. */
  private @Nullable String defect(C codec, boolean ours, List<C> others) {
    try {
      String clash = clash(codec, others);
      if (clash != null) {
        return clash;
      }
      int minId = ours ? 1 : Codec.MAX_RESERVED_ID + 1;
      int maxId = ours ? Codec.MAX_RESERVED_ID : Codec.MAX_ID;
      if (codec.id() < minId || codec.id() > maxId) {
        return refusal(codec, format("its number must be %d to %d", minId, maxId));
      }
      if (!NAME.matcher(codec.name()).matches()) {
        return refusal(codec, "its name must match %s".formatted(NAME));
      }
      return null;
    } catch (Throwable e) {
      return "%s cannot be a %s: %s".formatted(codec.getClass().getName(), kind, e);
    }
  }

  /** The reason why a codec cannot be used because of its number or its name; null if it can. */
  private @Nullable String clash(C codec, List<? extends C> others) {
    for (C other : others) {
      if (other != codec && (other.id() == codec.id() || other.name().equals(codec.name()))) {
        return refusal(
            codec,
            format(
                "%s already is '%s' (%d)", other.getClass().getName(), other.name(), other.id()));
      }
    }
    return null;
  }

  private String refusal(C codec, String why) {
    return format(
        "%s cannot be the %s '%s' (%d): %s",
        codec.getClass().getName(), kind, codec.name(), codec.id(), why);
  }

  /** All codecs, in the order of their numbers. */
  List<C> all() {
    return all;
  }

  /**
   * The codec with this wire number.
   *
   * @throws IllegalArgumentException if there is none; the message has the known ones
   */
  C ofId(int id) {
    return find(codec -> codec.id() == id, "number " + id);
  }

  /**
   * The codec with this name.
   *
   * @throws IllegalArgumentException if there is none; the message has the known ones
   */
  C ofName(String name) {
    return find(codec -> codec.name().equals(name), "'" + name + "'");
  }

  private C find(Predicate<C> wanted, String description) {
    for (C codec : all) { // No stream: each shipment looks for two codecs.
      if (wanted.test(codec)) {
        return codec;
      }
    }
    throw unknown(description);
  }

  private IllegalArgumentException unknown(String description) {
    String known =
        all.stream()
            .map(codec -> format("%s (%d)", codec.name(), codec.id()))
            .collect(Collectors.joining(", "));
    String why = refused.isEmpty() ? "" : "; left out: " + String.join("; ", refused);
    return new IllegalArgumentException(
        "%s %s is unknown (known: %s%s)%s"
            .formatted(kind, description, known, why, missingArtifacts()));
  }

  /** The codecs of this project that are missing here, and the artifacts that have them. */
  private String missingArtifacts() {
    Set<String> names = all.stream().map(Codec::name).collect(Collectors.toSet());
    Map<String, Set<String>> missing = new TreeMap<>();
    artifacts.forEach(
        (name, artifact) -> {
          if (!names.contains(name)) {
            missing.computeIfAbsent(artifact, unused -> new TreeSet<>()).add(name);
          }
        });
    return missing.entrySet().stream()
        .map(e -> "; add %s for %s".formatted(e.getKey(), String.join(", ", e.getValue())))
        .collect(Collectors.joining());
  }
}
