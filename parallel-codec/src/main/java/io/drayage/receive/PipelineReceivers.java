package io.drayage.receive;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;

/** The pipelines besides segments that a node receives. Immutable. */
public final class PipelineReceivers {
  private static final PipelineReceivers INSTALLED = load();

  private final Map<ShipmentHeader.Pipeline, PipelineReceiver> receivers;

  private PipelineReceivers(Map<ShipmentHeader.Pipeline, PipelineReceiver> receivers) {
    this.receivers = receivers;
  }

  /** Those on the class path. */
  public static PipelineReceivers installed() {
    return INSTALLED;
  }

  /** All pipelines that can be received, segments among them. */
  Set<ShipmentHeader.Pipeline> pipelines() {
    Set<ShipmentHeader.Pipeline> all = EnumSet.of(ShipmentHeader.Pipeline.SEGMENTS);
    all.addAll(receivers.keySet());
    return all;
  }

  private static PipelineReceivers load() {
    Map<ShipmentHeader.Pipeline, PipelineReceiver> found =
        new EnumMap<>(ShipmentHeader.Pipeline.class);
    ServiceLoader.load(PipelineReceiver.class)
        .forEach(receiver -> found.put(receiver.pipeline(), receiver));
    return new PipelineReceivers(found);
  }

  /** These, with {@code receiver} in place of the one of its pipeline. */
  public PipelineReceivers with(PipelineReceiver receiver) {
    Map<ShipmentHeader.Pipeline, PipelineReceiver> changed =
        new EnumMap<>(ShipmentHeader.Pipeline.class);
    changed.putAll(receivers);
    changed.put(receiver.pipeline(), receiver);
    return new PipelineReceivers(changed);
  }

  /**
   * The receiver of a pipeline.
   *
   * @throws ShipmentException {@code REFUSED} if there is none, naming what is missing
   */
  public PipelineReceiver of(ShipmentHeader.Pipeline pipeline) throws ShipmentException {
    PipelineReceiver receiver = receivers.get(pipeline);
    if (receiver == null) {
      throw new ShipmentException(
          Fault.REFUSED,
          ("the %s pipeline cannot be received here: no %s for it is on the class path; the module"
                  + " io.drayage:baseline has that of streams")
              .formatted(
                  pipeline.name().toLowerCase(Locale.ROOT),
                  PipelineReceiver.class.getSimpleName()));
    }
    return receiver;
  }
}
