package io.drayage.receive;

import io.drayage.codec.Codec;
import io.drayage.codec.Compressor;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.ShipmentHeader.Pipeline;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The codecs and pipelines of cargoes that may arrive, or may have been committed. Every node reads
 * committed cargoes, so a transactor must accept no more than the other nodes read.
 *
 * @param serializers by the names of the readers: variants differ only in the way they write
 */
public record AllowedCodecs(
    Set<Pipeline> pipelines, Set<String> serializers, Set<String> compressors) {
  /**
   * All codecs on the class path, but only serializers that read nothing but numbers and texts. The
   * libraries behind the other serializers can create objects that the bytes choose. Our readers
   * prevent that, but a node that does not need these serializers need not trust our readers.
   */
  public static final AllowedCodecs DATA_ONLY = installed(Serializer::readsDataOnly);

  /** All codecs on the class path. */
  public static final AllowedCodecs INSTALLED = installed(serializer -> true);

  /** A serializer and a compressor that may be used. */
  public record Pair(Serializer serializer, Compressor compressor) {}

  /**
   * @throws IllegalArgumentException if a serializer or compressor is unknown
   */
  public AllowedCodecs {
    pipelines = Set.copyOf(pipelines);
    serializers =
        serializers.stream()
            .map(name -> Serializers.ofId(Serializers.ofName(name).id()).name())
            .collect(Collectors.toUnmodifiableSet());
    compressors = Set.copyOf(compressors);
    compressors.forEach(Compressors::ofName);
  }

  private static AllowedCodecs installed(Predicate<Serializer> allowed) {
    return new AllowedCodecs(
        PipelineReceivers.installed().pipelines(),
        names(Serializers.all().stream().filter(allowed).toList()),
        names(Compressors.all()));
  }

  private static Set<String> names(Collection<? extends Codec> codecs) {
    return codecs.stream().map(Codec::name).collect(Collectors.toSet());
  }

  /** Returns these, and one more serializer. */
  public AllowedCodecs allowing(Serializer serializer) {
    Set<String> more = new TreeSet<>(serializers);
    more.add(serializer.name());
    return new AllowedCodecs(pipelines, more, compressors);
  }

  /**
   * Returns these without the pipeline, serializer or compressor of this name.
   *
   * @throws IllegalArgumentException if none has this name; the message lists the allowed names
   */
  public AllowedCodecs refusing(String name) {
    Set<Pipeline> fewerPipelines = EnumSet.noneOf(Pipeline.class);
    pipelines.stream().filter(each -> !name(each).equals(name)).forEach(fewerPipelines::add);
    Set<String> fewerSerializers = without(name, serializers);
    Set<String> fewerCompressors = without(name, compressors);
    AllowedCodecs fewer = new AllowedCodecs(fewerPipelines, fewerSerializers, fewerCompressors);
    if (fewer.equals(this)) {
      throw new IllegalArgumentException(
          "'%s' is no pipeline, serializer or compressor that is allowed here (%s)"
              .formatted(name, String.join(", ", words())));
    }
    return fewer;
  }

  private static Set<String> without(String name, Set<String> names) {
    return names.stream().filter(each -> !each.equals(name)).collect(Collectors.toSet());
  }

  private static String name(Pipeline pipeline) {
    return pipeline.name().toLowerCase(Locale.ROOT);
  }

  /** Returns the codecs that work in this JVM, sorted, each as {@code KIND.NAME}. */
  public Set<String> words() {
    Set<String> words = new TreeSet<>();
    pipelines.forEach(pipeline -> words.add("pipeline." + name(pipeline)));
    serializers.stream()
        .filter(name -> isUsable(Serializers.ofName(name)))
        .forEach(name -> words.add("serializer." + name));
    compressors.stream()
        .filter(name -> isUsable(Compressors.ofName(name)))
        .forEach(name -> words.add("compressor." + name));
    return words;
  }

  private static boolean isUsable(Codec codec) {
    try {
      codec.requireUsable();
      return true;
    } catch (UnsupportedOperationException e) {
      return false;
    }
  }

  /**
   * Returns the serializer and compressor of a shipment.
   *
   * @throws IllegalArgumentException if they are unknown here; the message names the artifacts with
   *     other codecs
   * @throws UnsupportedOperationException if they are not allowed, or do not work here
   */
  public Pair require(ShipmentHeader header) {
    Serializer serializer = Serializers.ofId(header.serializerId());
    Compressor compressor = Compressors.ofId(header.compressorId());
    require("serializer", serializer.name(), serializers);
    require("compressor", compressor.name(), compressors);
    serializer.requireUsable();
    compressor.requireUsable();
    return new Pair(serializer, compressor);
  }

  /**
   * Checks that an existing pipeline is allowed.
   *
   * @throws UnsupportedOperationException if it is not allowed here
   */
  public void require(Pipeline pipeline) {
    if (!pipelines.contains(pipeline)) {
      require(
          "pipeline",
          name(pipeline),
          pipelines.stream().map(AllowedCodecs::name).collect(Collectors.toSet()));
    }
  }

  private static void require(String kind, String name, Set<String> allowed) {
    if (!allowed.contains(name)) {
      throw new UnsupportedOperationException(
          "%s '%s' is not allowed here, only %s: use one of them, or allow it (AllowedCodecs, --allow)"
              .formatted(kind, name, new TreeSet<>(allowed)));
    }
  }
}
