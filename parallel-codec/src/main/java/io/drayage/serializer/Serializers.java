package io.drayage.serializer;

import java.util.List;
import java.util.stream.Collectors;

/** The serializers there are, by their number on the wire and by their name. */
public final class Serializers {
  private static final List<Serializer> ALL = List.of(new JavaSerializer(), new RawSerializer());

  private Serializers() {}

  /** All of them, in the order of their numbers. */
  public static List<Serializer> all() {
    return ALL;
  }

  /**
   * The serializer with this wire number.
   *
   * @throws IllegalArgumentException if there is none, naming the known ones
   */
  public static Serializer ofId(int id) {
    return ALL.stream()
        .filter(serializer -> serializer.id() == id)
        .findFirst()
        .orElseThrow(() -> unknown("serializer number " + id));
  }

  /**
   * The serializer with this name.
   *
   * @throws IllegalArgumentException if there is none, naming the known ones
   */
  public static Serializer ofName(String name) {
    return ALL.stream()
        .filter(serializer -> serializer.name().equals(name))
        .findFirst()
        .orElseThrow(() -> unknown("serializer '" + name + "'"));
  }

  private static IllegalArgumentException unknown(String what) {
    String known =
        ALL.stream()
            .map(serializer -> "%s (%d)".formatted(serializer.name(), serializer.id()))
            .collect(Collectors.joining(", "));
    return new IllegalArgumentException("%s is unknown (known: %s)".formatted(what, known));
  }
}
