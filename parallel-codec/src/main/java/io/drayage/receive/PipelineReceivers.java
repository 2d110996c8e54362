package io.drayage.receive;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.internal.Providers;
import java.lang.System.Logger.Level;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The pipelines besides segments that a node receives. Immutable. */
public final class PipelineReceivers {
  private static final System.Logger LOG = System.getLogger(PipelineReceivers.class.getName());
  private static final PipelineReceivers INSTALLED = load();

  private final Map<ShipmentHeader.Pipeline, PipelineReceiver> receivers;

  private PipelineReceivers(Map<ShipmentHeader.Pipeline, PipelineReceiver> receivers) {
    this.receivers = receivers;
  }

  /**
   * Returns the receivers that {@link java.util.ServiceLoader} finds in the class loader of this
   * library and in the context class loader of the first thread that calls this.
   */
  public static PipelineReceivers installed() {
    return INSTALLED;
  }

  /** Returns all pipelines that can be received, segments among them. */
  Set<ShipmentHeader.Pipeline> pipelines() {
    Set<ShipmentHeader.Pipeline> all = EnumSet.of(ShipmentHeader.Pipeline.SEGMENTS);
    all.addAll(receivers.keySet());
    return all;
  }

  private static PipelineReceivers load() {
    Map<ShipmentHeader.Pipeline, PipelineReceiver> found =
        new EnumMap<>(ShipmentHeader.Pipeline.class);
    Providers<PipelineReceiver> providers = Providers.of(PipelineReceiver.class);
    providers.found().forEach(receiver -> found.putIfAbsent(receiver.pipeline(), receiver));
    providers.errors().forEach(why -> LOG.log(Level.WARNING, why));
    return new PipelineReceivers(found);
  }

  /** Returns these receivers, with {@code receiver} as the receiver of its pipeline. */
  public PipelineReceivers with(PipelineReceiver receiver) {
    Map<ShipmentHeader.Pipeline, PipelineReceiver> changed =
        new EnumMap<>(ShipmentHeader.Pipeline.class);
    changed.putAll(receivers);
    changed.put(receiver.pipeline(), receiver);
    return new PipelineReceivers(changed);
  }

  /**
   * Returns the receiver of a pipeline.
   *
   * @throws ShipmentException {@code REFUSED} if there is none; the message says what is missing
   */
  public PipelineReceiver of(ShipmentHeader.Pipeline pipeline) throws ShipmentException {
    PipelineReceiver receiver = receivers.get(pipeline);
    if (receiver == null) {
      throw new ShipmentException(
          Fault.REFUSED,
          ("the %s pipeline cannot be received here: no %s for it is on the class path; the module"
                  + " io.drayage:drayage-baseline has the one of streams")
              .formatted(
                  pipeline.name().toLowerCase(Locale.ROOT),
                  PipelineReceiver.class.getSimpleName()));
    }
    return receiver;
  }
}
