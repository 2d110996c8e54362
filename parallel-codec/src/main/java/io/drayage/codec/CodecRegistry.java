package io.drayage.codec;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The codecs of one kind, by their number on the wire and by their name: those of this library and
 * those that users add. Immutable.
 *
 * @param <C> serializers or compressors
 */
public final class CodecRegistry<C extends Codec> {
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");

  private final String kind;
  private final List<C> all;

  /**
   * A registry of codecs; those of this project have classes in {@code io.drayage}.
   *
   * @param kind what they are, for messages: {@code serializer}
   * @throws IllegalStateException if a number or a name is in use or outside its range, naming both
   *     classes
   */
  public static <C extends Codec> CodecRegistry<C> of(String kind, Iterable<? extends C> codecs) {
    return new CodecRegistry<>(
        kind, codecs, codec -> codec.getClass().getName().startsWith("io.drayage."));
  }

  CodecRegistry(String kind, Iterable<? extends C> found, Predicate<C> isOurs) {
    this.kind = kind;
    List<C> codecs = new ArrayList<>();
    for (C codec : found) {
      if (isOurs.test(codec)) {
        add(codec, 1, Codec.MAX_RESERVED_ID, codecs);
      } else {
        add(codec, Codec.MAX_RESERVED_ID + 1, Codec.MAX_ID, codecs);
      }
    }
    codecs.sort(Comparator.comparingInt(Codec::id));
    this.all = List.copyOf(codecs);
  }

  private void add(C codec, int minId, int maxId, List<C> codecs) {
    if (codec.id() < minId || codec.id() > maxId) {
      throw refused(codec, String.format(Locale.ROOT, "its number must be %d to %d", minId, maxId));
    }
    if (!NAME.matcher(codec.name()).matches()) {
      throw refused(codec, "its name must match %s".formatted(NAME));
    }
    for (C other : codecs) {
      if (other.id() == codec.id() || other.name().equals(codec.name())) {
        throw refused(
            codec,
            String.format(
                Locale.ROOT,
                "%s already is '%s' (%d)",
                other.getClass().getName(),
                other.name(),
                other.id()));
      }
    }
    codecs.add(codec);
  }

  private IllegalStateException refused(C codec, String why) {
    return new IllegalStateException(
        String.format(
            Locale.ROOT,
            "%s cannot be the %s '%s' (%d): %s",
            codec.getClass().getName(),
            kind,
            codec.name(),
            codec.id(),
            why));
  }

  /** All of them, in the order of their numbers. */
  public List<C> all() {
    return all;
  }

  /**
   * The codec with this wire number.
   *
   * @throws IllegalArgumentException if there is none, naming the known ones
   */
  public C ofId(int id) {
    return find(codec -> codec.id() == id, "number " + id);
  }

  /**
   * The codec with this name.
   *
   * @throws IllegalArgumentException if there is none, naming the known ones
   */
  public C ofName(String name) {
    return find(codec -> codec.name().equals(name), "'" + name + "'");
  }

  private C find(Predicate<C> wanted, String description) {
    return all.stream().filter(wanted).findFirst().orElseThrow(() -> unknown(description));
  }

  private IllegalArgumentException unknown(String description) {
    String known =
        all.stream()
            .map(codec -> String.format(Locale.ROOT, "%s (%d)", codec.name(), codec.id()))
            .collect(Collectors.joining(", "));
    return new IllegalArgumentException(
        "%s %s is unknown (known: %s)".formatted(kind, description, known));
  }
}
