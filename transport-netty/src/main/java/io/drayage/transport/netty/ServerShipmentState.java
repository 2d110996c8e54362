package io.drayage.transport.netty;

import java.util.Map;

/**
 * The states of a shipment on the transactor's side, and what each event makes of them. Where the
 * table is empty, the event has no effect.
 *
 * <pre>
 *            | ACCEPTED  HELD      COMMITTED  FAILED  FAULT  GONE
 *  ----------+----------------------------------------------------
 *  OPENING   | BEGIN                          FAIL    END    DROP
 *  RECEIVING |           HOLD                 FAIL    END    DROP
 *  RECEIVED  |                     COMMIT     FAIL    END    AWAIT
 *  OVER      |           KEEP_SEAL REMEMBER
 * </pre>
 */
enum ServerShipmentState {
  /** It waits for room, or for the answer of the acceptor. */
  OPENING(
      Map.of(
          Event.ACCEPTED, Transition.BEGIN,
          Event.FAILED, Transition.FAIL,
          Event.FAULT, Transition.END,
          Event.GONE, Transition.DROP)),
  /** Its handler gets frames, over one set of connections after another. */
  RECEIVING(
      Map.of(
          Event.HELD, Transition.HOLD,
          Event.FAILED, Transition.FAIL,
          Event.FAULT, Transition.END,
          Event.GONE, Transition.DROP)),
  /** The whole cargo is here: its commit decides. */
  RECEIVED(
      Map.of(
          Event.COMMITTED, Transition.COMMIT,
          Event.FAILED, Transition.FAIL,
          Event.FAULT, Transition.END,
          Event.GONE, Transition.AWAIT)),
  /** Nothing is held of it, but a commit that began may still be answered. */
  OVER(Map.of(Event.HELD, Transition.KEEP_SEAL, Event.COMMITTED, Transition.REMEMBER));

  /** What happens to a shipment. */
  enum Event {
    /** There is room, and the acceptor has taken it. */
    ACCEPTED,
    /** The handler has the whole cargo. */
    HELD,
    /** The handler has committed it. */
    COMMITTED,
    /** The handler has failed it; or there will be no handler. */
    FAILED,
    /**
     * This side ends it: a connection violated the protocol, the worker stalls, the server ends.
     */
    FAULT,
    /** The worker has cancelled it, or has not come back in time. */
    GONE
  }

  /** What is done then. */
  enum Transition {
    NONE,
    /** To RECEIVING: answers ACCEPT. */
    BEGIN,
    /** To RECEIVED: answers HELD, and takes no more frames. */
    HOLD,
    /** To OVER: answers COMMITTED, now and when the worker asks later. */
    COMMIT,
    /** To OVER: answers FAILED, now and when the worker asks later. */
    FAIL,
    /** To OVER: tells the handler, which knows the outcome, and answers FAILED with it. */
    END,
    /** To OVER: tells the handler alone. */
    DROP,
    /**
     * Stays: drops the connections, and waits for the commit. The worker may ask for its answer.
     */
    AWAIT,
    /** Stays: the commit goes on. */
    KEEP_SEAL,
    /** Stays: answers COMMITTED when the worker asks. */
    REMEMBER
  }

  private final Map<Event, Transition> transitions;

  ServerShipmentState(Map<Event, Transition> transitions) {
    this.transitions = transitions;
  }

  Transition on(Event event) {
    return transitions.getOrDefault(event, Transition.NONE);
  }
}
